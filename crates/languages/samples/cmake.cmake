# Builds the tool.
cmake_minimum_required(VERSION 3.20)
project(tool LANGUAGES C CXX)

set(SOURCES main.c "other file.c" ${EXTRA})
option(WITH_TESTS "Build the tests" ON)

if(WITH_TESTS AND NOT (WIN32 OR "${X}" STREQUAL "y"))
  enable_testing()
elseif(DEFINED ENV{CI})
  message(STATUS "CI: $ENV{CI}")
else()
  message(WARNING [[raw text]])
endif()

foreach(name IN LISTS SOURCES)
  list(APPEND names ${name})
endforeach()

function(add_tool target)
  add_executable(${target} ${ARGN})
  target_link_libraries(${target} PRIVATE $<$<CONFIG:Debug>:debug>)
endfunction()

macro(twice x)
  math(EXPR y "${x} * 2")
endmacro()

while(y LESS 10)
  break()
endwhile()
add_tool(tool ${SOURCES})
#[[ a longer
comment ]]
