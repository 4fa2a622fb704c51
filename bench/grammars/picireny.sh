#!/usr/bin/env bash
# Picireny and Whittle on the same grammar, input and test: the recipe of docs/grammars.md, and the tests in JSON that Picireny
# ships. Prints test runs, tokens of the result, and seconds, which include the generated parser for Picireny.
#
#   WHITTLE=target/release/whittle ANTLR=antlr-4-complete.jar bench/grammars/picireny.sh
#
# `picireny` must be in PATH, with Java for ANTLR.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../projects/fetch.sh"
whittle=$(realpath "$WHITTLE")
antlr=$(realpath "$ANTLR")
work=$SCRATCH

# Makes a test of a command for the file "$1". Each run is counted.
write_test() {
    printf '#!/bin/bash\necho run >> "%s/runs"\n%s\n' "$work" "$1" >"$work/test.sh"
    chmod +x "$work/test.sh"
}

tokens() { "$whittle" tree --grammar "$grammar:$start" "$1" | grep -c '^ *"'; }

measure() {
    local name=$1 result=$2 began
    shift 2
    rm -rf runs out
    began=$(date +%s.%N)
    "$@" >log 2>&1
    echo "$input, $name: $(wc -l <runs) runs, $(tokens "$result") of $(tokens "$input") tokens," \
        "$(date +%s.%N | awk -v began="$began" '{ printf "%.1f", $1 - began }') s"
}

compare() {
    grammar=$1 start=$2 input=$3
    local picireny=(picireny -i "$input" --test ./test.sh -g "$grammar" -s "$start" --antlr "$antlr" --parser python -o out)
    local whittle_run=("$whittle" --jobs 1 --force --grammar "$grammar:$start" ./test.sh "$input" -o small)
    measure 'picireny' "out/$input" "${picireny[@]}"
    measure 'picireny --phase prune+hoist' "out/$input" "${picireny[@]}" --phase prune+hoist
    measure 'whittle --algorithm perses' small "${whittle_run[@]}" --algorithm perses
    measure 'whittle' small "${whittle_run[@]}"
}

sdist picireny 21.8 "$work/picireny"
resources=$work/picireny/tests/resources
cp "$here"/../../docs/grammars/* "$resources"/JSON.g4 "$resources"/inp-obj-arr.json "$work"
cd "$work"
write_test "grep -q explode \"\$1\" && grep -q '(' \"\$1\" && '$whittle' grammar check '$work/Recipe.g4' \"\$1\" > '$work/checked' 2>&1"
compare Recipe.g4 book dinner.recipe
for case in foo bar baz 87; do
    echo "test-json-obj-arr-$case.sh:"
    write_test "exec bash '$resources/test-json-obj-arr-$case.sh' \"\$1\""
    compare JSON.g4 json inp-obj-arr.json
done
