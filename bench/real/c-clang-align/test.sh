#!/usr/bin/env bash
. "${0%/*}/check.sh"
lean 10 clang-14 -w -O2 -S -fno-crash-diagnostics -o "$T/o.s" trees.c
said 'llvm::APInt::setBitsSlowCase'
valid 10 gcc-12 -w -fsyntax-only trees.c
