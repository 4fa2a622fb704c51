#!/bin/sh
# Interesting: the program prints something else at -O2 than at -O0, and signed overflow is the only reason.
#
# A reducer finds every way to make two builds differ: an uninitialised variable, a missing return, a printf without its
# argument. So a third build, the referee, must print the same as -O0. In it, signed overflow wraps, and all other undefined
# behaviour that the sanitizer detects traps. Warnings reject what the sanitizer cannot see.

source=${1:-bug.c}
compiler=${GCC:-gcc}

# Keep the compiler's temporary files in the working folder too.
TMPDIR=$PWD
export TMPDIR LC_ALL=C

warnings='-Werror=uninitialized -Werror=maybe-uninitialized -Werror=return-type -Werror=return-local-addr
    -Werror=implicit-int -Werror=implicit-function-declaration -Werror=strict-prototypes
    -Werror=builtin-declaration-mismatch -Werror=main -Werror=missing-parameter-type
    -Werror=int-conversion -Werror=int-to-pointer-cast -Werror=pointer-to-int-cast
    -Werror=incompatible-pointer-types -Werror=discarded-qualifiers
    -Werror=format -Werror=format-extra-args -Werror=nonnull -Werror=array-bounds -Werror=stringop-overflow
    -Werror=overflow -Werror=div-by-zero -Werror=shift-count-overflow -Werror=shift-count-negative
    -Werror=sequence-point -Werror=strict-aliasing'

# A null pointer crashes the program anyway. Checking for it at every access would only slow down the build.
traps='-fsanitize=undefined -fno-sanitize=null,alignment -fsanitize-undefined-trap-on-error'

# build NAME FLAG...
build() {
    name=$1
    shift
    timeout -s KILL 5 "$compiler" -std=gnu11 -pipe "$@" -o "./$name.exe" "$source" >/dev/null 2>&1
}

# run NAME: writes standard output to NAME.out; fails if the program crashes, loops, or prints or allocates without end.
run() (
    ulimit -c 0
    ulimit -f 128
    ulimit -v 1000000
    timeout -s KILL 1 "./$1.exe" </dev/null >"$1.out" 2>/dev/null
)

# The unquoted lists are split on purpose.
# shellcheck disable=SC2086
build fast -O2 $warnings && run fast &&
    build plain -O0 && run plain &&
    ! cmp -s plain.out fast.out &&
    build referee -O2 -fwrapv $traps && run referee &&
    cmp -s plain.out referee.out
