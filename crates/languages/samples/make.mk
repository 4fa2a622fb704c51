# Builds the tool.
CC ?= gcc
CFLAGS := -O2 -Wall
SOURCES = $(wildcard src/*.c)
OBJECTS = $(patsubst %.c,%.o,$(SOURCES))
export LANG = C

include config.mk

.PHONY: all clean
all: tool

ifeq ($(DEBUG),1)
CFLAGS += -g
else
CFLAGS += -DNDEBUG
endif

tool: $(OBJECTS) | build
	$(CC) $(CFLAGS) -o $@ $^
	@echo "built $@"

%.o: %.c config.h
	$(CC) $(CFLAGS) -c $< -o $@

define banner
text
endef

clean:
	-rm -f tool $(OBJECTS)
