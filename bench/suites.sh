#!/usr/bin/env bash
# Makes subjects of what peers ship with their source packages: the tests of Picire and Picireny with the results that they
# are expected to reach, the example of Lithium's documentation, the inputs of treereduce's benchmark, and the examples of JS
# Delta that have one file. Nothing of it is copied into this repository. The packages of Shrink Ray, C-Vise and ddSMT have no
# inputs with a test.
#
#   bench/suites.sh OUT
#   whittle-bench run --subjects OUT/subjects --only 'whittle,treereduce-c,picire-*,picireny-*,lithium-*,treereduce-*,jsdelta*' --keep OUT/results
#   whittle-bench recount OUT/results --subjects OUT/subjects     # Whittle's results next to the expected ones
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/projects/fetch.sh"
out=$(realpath -m "$1")
mkdir -p "$out/subjects" "$out/results"

for peer in picire picireny; do
    [ -d "$out/$peer" ] || sdist "$peer" 21.8 "$out/$peer"
    resources=$out/$peer/tests/resources
    for expected in "$resources"/exp-*; do
        case=${expected##*/exp-} extension=${expected##*.}
        case=${case%.*}
        subject=$out/subjects/$peer-$case
        # exp-NAME-CASE belongs to inp-NAME, or to inp-NAME-CASE.
        input=$resources/inp-$case.$extension
        [ -e "$input" ] || input=$resources/inp-${case%-*}.$extension
        mkdir -p "$subject"
        cp "$resources"/sut-* "$resources"/test-*"$case".sh "$subject"
        cp "$input" "$subject"
        printf '#!/bin/sh\nexec timeout 10 bash "${0%%/*}"/test-*%s.sh %s\n' "$case" "${input##*/}" >"$subject/test.sh"
        chmod +x "$subject/test.sh"
        printf 'input = "%s"\ntool = "Python"\ndescription = "a test of %s 21.8"\n' "${input##*/}" "$peer" >"$subject/meta.toml"
        cp "$expected" "$out/results/$peer-$case.$peer.${input##*/}"
    done
done
# Of the numbers from 1 to 11, the product must be divisible by another one. Lithium leaves the fewest lines between two marks.
[ -d "$out/lithium" ] || sdist lithium-reducer 4.0.0 "$out/lithium"
example=$out/lithium/src/lithium/docs/examples/arithmetic
for divisor in 35 64; do
    subject=$out/subjects/lithium-$divisor
    mkdir -p "$subject"
    cp "$example/11.txt" "$example/product_divides.py" "$subject"
    cat >"$subject/test.sh" <<END
#!/bin/sh
exec python3 -c 'import sys; sys.path.insert(0, sys.argv[1]); import product_divides
sys.exit(not product_divides.interesting(["$divisor", "11.txt"], ""))' "\${0%/*}"
END
    chmod +x "$subject/test.sh"
    printf 'input = "11.txt"\ntool = "Python"\ndescription = "an example of Lithium 4.0.0"\n' >"$subject/meta.toml"
done

# treereduce asks whether clang makes a program of it.
[ -d "$out/treereduce" ] || crate treereduce 0.4.1 "$out/treereduce"
for input in "$out"/treereduce/benches/c/*.c; do
    name=${input##*/}
    subject=$out/subjects/treereduce-${name%.c}
    mkdir -p "$subject"
    cp "$input" "$subject"
    printf '#!/bin/sh\nout=$(mktemp) && trap "rm -f $out" EXIT && timeout 10 clang -w -o "$out" %s\n' "$name" >"$subject/test.sh"
    chmod +x "$subject/test.sh"
    printf 'input = "%s"\ntool = "clang"\ndescription = "an input of the benchmark of treereduce 0.4.1"\n' "$name" >"$subject/meta.toml"
done

# JS Delta keeps what prints "success".
[ -d "$out/jsdelta" ] || npm_package jsdelta 1.0.0 "$out/jsdelta"
for input in inlining/inlining.js simple/main.js; do
    subject=$out/subjects/jsdelta-${input%/*} name=${input##*/}
    mkdir -p "$subject"
    cp "$out/jsdelta/examples/$input" "$subject"
    printf '#!/bin/sh\ntimeout 10 node %s | grep -q success\n' "$name" >"$subject/test.sh"
    chmod +x "$subject/test.sh"
    printf 'input = "%s"\ntool = "Node"\ndescription = "an example of JS Delta 1.0.0"\n' "$name" >"$subject/meta.toml"
done
ls "$out/subjects"
