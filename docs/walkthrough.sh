#!/usr/bin/env bash
# From a failing command to a reduced file, with five kinds of tools: one command each, no test written by hand.
#
#     docs/walkthrough.sh [FOLDER]
#
# Each case makes an input in FOLDER (a temporary folder by default), shows the command, runs it and prints the result. A case whose tool is
# not installed is skipped. `whittle` is the one on PATH, or that of the variable WHITTLE.
set -euo pipefail
whittle=${WHITTLE:-whittle}
folder=${1:-$(mktemp -d)}
mkdir -p "$folder"
cd "$folder"

# case TITLE TOOL INPUT COMMAND...: reduces INPUT from standard input by `whittle init`.
case_of() {
    local title=$1 tool=$2 input=$3
    shift 3
    printf '\n## %s\n\n' "$title"
    if ! command -v "$tool" >/dev/null; then
        echo "skipped: $tool is not on PATH"
        return
    fi
    cat >"$input"
    printf '$ whittle init --start -- %s\n' "${*@Q}"
    if ! "$whittle" init --start -- "$@" >"$input.log" 2>&1 </dev/null; then
        cat "$input.log"
        echo "skipped: this version of $tool does not fail"
        return
    fi
    grep -E '^(saw|size|tests):' "$input.log"
    sed -n '/^saw:/{n;p}' "$input.log"
    printf '\n```\n'
    cat "${input%.*}.reduced.${input##*.}"
    printf '\n```\n'
}

filler() { # ten functions around the bug: filler FORMAT
    local i
    for i in 1 2 3 4 5 6 7 8 9 10; do printf "$1\n" "$i" "$i"; done
}

{
    filler 'int f%d(int x, int y) { int z = x * %d + y; while (z > 100) { z -= x; if (z == y) break; } return z; }'
    echo 'int old(a, b) int a __attribute__((vector_size(16))); int b; { return f1(b, 2); }'
    echo 'int main(void) { return f2(3, 4); }'
} | case_of "An internal error of gcc" gcc-12 bug.c gcc-12 -O0 -w -c bug.c -o bug.o

{
    echo '#![feature(anonymous_lifetime_in_impl_trait)]'
    filler 'pub fn f%d(x: u32) -> u32 { let mut y = x + %d; while y > 100 { y /= 2; } y }'
    echo 'pub trait Producer { type Output; fn produce(self) -> Self::Output; }'
    echo 'pub trait View<'"'"'a> { fn len(&self) -> usize; }'
    echo 'pub fn same<'"'"'a>(x: &'"'"'a u32, v: impl View<'"'"'a>) -> usize { v.len() + *x as usize }'
    echo 'pub fn check(x: &u32, p: impl Producer<Output: View<'"'"'_>>) -> usize { same(x, p.produce()) }'
} | case_of "An internal error of rustc" rustc bug.rs env RUSTC_BOOTSTRAP=1 rustc --edition 2021 --crate-type lib --emit=metadata --out-dir . bug.rs

{
    for i in 1 2 3 4 5 6 7 8 9; do printf '[section%d]\nname = value%d\npath = %%(name)s/bin\n\n' "$i" "$i"; done
    printf '[broken]\nrate = 5%%\nother = 7\n'
} | case_of "An exception in a Python library" python3 settings.ini \
    python3 -c 'import configparser, sys; c = configparser.ConfigParser(); c.read(sys.argv[1]); [dict(c[s]) for s in c]' settings.ini

{
    echo '(set-logic QF_LIA)'
    for i in 1 2 3 4 5 6 7 8 9; do echo "(declare-const x$i Int) (assert (and (> x$i $i) (< x$i (* 2 $((i + 5))))))"; done
    echo '(assert (or (= x1 x2) (> (+ x3 missing) 7)))'
    echo '(check-sat)'
} | case_of "An error of Z3" z3 bug.smt2 z3 bug.smt2

if command -v clang >/dev/null; then
    cat >target.c <<'C'
#include <stddef.h>
#include <stdint.h>
#include <string.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = (char[16]){0};
    if (size > 4 && memcmp(data, "LEN:", 4) == 0) memcpy(text, data + 4, data[4]);
    return text[0] == 1;
}
C
    clang -g -fsanitize=fuzzer,address target.c -o target 2>target.log || { cat target.log; rm -f target; }
fi
if [ -x target ]; then
    printf 'LEN:zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz and more that does not matter' |
        case_of "A crash that libFuzzer found" clang crash.bin ./target crash.bin
else
    printf '\n## A crash that libFuzzer found\n\nskipped: clang with libFuzzer is not here\n'
fi
