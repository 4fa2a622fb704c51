#!/bin/sh
# Interesting: at -O2 the program prints something else than at -O0, and strict aliasing is the only reason.
t=$(mktemp -d) || exit 2
trap 'rm -rf "$t"' EXIT
compile() { timeout 10 gcc -std=gnu11 "$@" >"$t/said" 2>&1 || exit 1; }
run() { timeout 2 "$1" </dev/null; echo "exit $?"; }

# Most candidates are told apart without linking anything.
compile -O2 -w -S -o "$t/fast.s" mix.c
compile -O2 -w -fno-strict-aliasing -S -o "$t/careful.s" mix.c
cmp -s "$t/fast.s" "$t/careful.s" && exit 1

compile -O0 -Wall -Wextra -Wno-strict-aliasing -Werror=uninitialized -Werror=return-type \
    -Werror=implicit-function-declaration -Werror=array-bounds -o "$t/slow" mix.c
slow=$(run "$t/slow")
case $slow in *"exit 0") ;; *) exit 1 ;; esac
compile -o "$t/careful" "$t/careful.s"
[ "$slow" = "$(run "$t/careful")" ] || exit 1
compile -o "$t/fast" "$t/fast.s"
[ "$slow" != "$(run "$t/fast")" ]
