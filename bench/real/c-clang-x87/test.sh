#!/usr/bin/env bash
. "${0%/*}/check.sh"
lean 10 clang-16 -w -O2 -S -fno-crash-diagnostics -o "$T/o.s" lobject.c
[ "$status" = 139 ] || exit 1
said "Running pass 'X86 FP Stackifier'"
