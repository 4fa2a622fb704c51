#!/bin/sh
# Interesting: at -O2 the program prints something else than at -O0, and strict aliasing is the only reason.
t=$(mktemp -d) || exit 2
trap 'rm -rf "$t"' EXIT
build_and_run() {
    timeout 10 gcc -std=gnu11 "$@" -o "$t/program" mix.c >"$t/said" 2>&1 || exit 1
    timeout 2 "$t/program" </dev/null
    echo "exit $?"
}
slow=$(build_and_run -O0 -Wall -Wextra -Wno-strict-aliasing -Werror=uninitialized -Werror=return-type \
    -Werror=implicit-function-declaration -Werror=array-bounds) || exit 1
case $slow in *"exit 0") ;; *) exit 1 ;; esac
careful=$(build_and_run -O2 -w -fno-strict-aliasing) || exit 1
[ "$slow" = "$careful" ] || exit 1
fast=$(build_and_run -O2 -w) || exit 1
[ "$slow" != "$fast" ]
