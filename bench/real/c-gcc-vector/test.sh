#!/usr/bin/env bash
. "${0%/*}/check.sh"
lean 10 gcc-12 -std=gnu17 -O0 -w -S -o "$T/o.s" lstrlib.c
said 'internal compiler error: in convert_move, at expr.cc'
only_ice
valid 10 clang-14 -w -fsyntax-only lstrlib.c
