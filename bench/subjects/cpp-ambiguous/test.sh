#!/bin/sh
# Interesting: the only error is an ambiguous call in the instantiation of a template that another one instantiates.
export LC_ALL=C
said=$(timeout 10 g++ -std=c++17 -fsyntax-only -w shapes.cpp 2>&1)
[ "$(echo "$said" | grep -c 'error:')" = 1 ] || exit 1
echo "$said" | grep -Eq "error: call of overloaded '.*' is ambiguous" || exit 1
[ "$(echo "$said" | grep -c 'required from')" -ge 2 ]
