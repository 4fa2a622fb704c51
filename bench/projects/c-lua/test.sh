#!/usr/bin/env bash
# Exit 0 if and only if gcc 12 still has the same internal error in the build of lgc.o, without other errors, and clang accepts lgc.c.
scratch=$PWD/.scratch
mkdir -p "$scratch" || exit 2
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C TMPDIR=$scratch
unset MAKEFLAGS MAKELEVEL
ulimit -c 0
timeout 60 make -s CC=gcc-12 CFLAGS='-std=gnu17 -O0 -w' lgc.o >"$scratch/log" 2>&1 </dev/null
grep -qF 'internal compiler error: in recompute_tree_invariant_for_addr_expr' "$scratch/log" || exit 1
grep -F 'error: ' "$scratch/log" | grep -vqF 'internal compiler error' && exit 1
timeout 60 clang-14 -std=gnu17 -w -fsyntax-only lgc.c >/dev/null 2>&1 </dev/null
