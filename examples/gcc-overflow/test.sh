#!/bin/sh
# Interesting: the program prints one thing at -O0 and another at -O2, and signed overflow is the only reason.
#
# A reducer takes every way to make two builds differ: an uninitialised variable, a missing return, a printf without
# its argument. So there is a third build, the referee, in which signed overflow wraps and any other undefined behaviour
# that the sanitizer knows of traps: it has to print what -O0 prints. What the sanitizer can't see, the warnings reject.

source=${1:-bug.c}
compiler=${GCC:-gcc}

# The compiler's temporary files belong into the working folder too.
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

# A null pointer ends the program anyway, so checking for it at every access would only make the build slow.
traps='-fsanitize=undefined -fno-sanitize=null,alignment -fsanitize-undefined-trap-on-error'

# build NAME FLAG...
build() {
    name=$1
    shift
    timeout -s KILL 5 "$compiler" -std=gnu11 -pipe "$@" -o "./$name.exe" "$source" >/dev/null 2>&1
}

# run NAME: standard output goes to NAME.out; a run that crashes, loops, or prints or allocates without end has failed.
run() (
    ulimit -c 0
    ulimit -f 128
    ulimit -v 1000000
    timeout -s KILL 1 "./$1.exe" </dev/null >"$1.out" 2>/dev/null
)

# The unquoted lists are meant to be split.
# shellcheck disable=SC2086
build fast -O2 $warnings && run fast &&
    build plain -O0 && run plain &&
    ! cmp -s plain.out fast.out &&
    build referee -O2 -fwrapv $traps && run referee &&
    cmp -s plain.out referee.out
