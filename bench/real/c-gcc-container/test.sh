#!/usr/bin/env bash
. "${0%/*}/check.sh"
lean 10 gcc-12 -std=gnu17 -O0 -w -S -o "$T/o.s" deflate.c
said 'internal compiler error: in recompute_tree_invariant_for_addr_expr'
only_ice
valid 10 clang-14 -w -fsyntax-only deflate.c
