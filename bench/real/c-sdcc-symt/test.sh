#!/usr/bin/env bash
. "${0%/*}/check.sh"
lean 20 sdcc -mstm8 --max-allocs-per-node 1 --less-pedantic -S -o "$T/o.asm" small.c
said "FATAL Compiler Internal Error in file 'SDCCsymt.c' line number '2235'"
valid 10 gcc-12 -std=gnu17 -w -Werror=implicit-function-declaration -Werror=implicit-int -Werror=int-conversion -fsyntax-only small.c
