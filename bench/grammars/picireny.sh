#!/usr/bin/env bash
# Picireny and Whittle on the same grammar and input: docs/grammars/Recipe.g4 and dinner.recipe. The test wants a recipe that
# parses, with the word `explode` and a bracket. Prints test runs and tokens of the result.
#
#   WHITTLE=target/release/whittle ANTLR=antlr-4-complete.jar bench/grammars/picireny.sh
#
# `picireny` must be in PATH, with Java for ANTLR. Times are not compared: they depend on the machine and on the test.
set -euo pipefail
whittle=$(realpath "$WHITTLE")
antlr=$(realpath "$ANTLR")
source=$(realpath "$(dirname "$0")/../../docs/grammars")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$source"/* "$work"
cd "$work"
cat > test.sh <<END
#!/bin/sh
echo run >> "$work/runs"
grep -q explode "\$1" && grep -q '(' "\$1" && "$whittle" grammar check "$work/Recipe.g4" "\$1" > "$work/checked" 2>&1
END
chmod +x test.sh

tokens() { "$whittle" tree --grammar Recipe.g4 "$1" | grep -c '^ *"'; }

measure() {
    local name=$1 result=$2
    shift 2
    rm -rf runs out
    "$@" > log 2>&1
    echo "$name: $(wc -l < runs) test runs, $(tokens "$result") of $(tokens dinner.recipe) tokens"
}

picireny=(picireny -i dinner.recipe --test ./test.sh -g Recipe.g4 -s book --antlr "$antlr" --parser python -o out)
whittle_run=("$whittle" --jobs 1 --force --grammar Recipe.g4:book ./test.sh dinner.recipe -o small.recipe)
measure 'picireny' out/dinner.recipe "${picireny[@]}"
measure 'picireny --phase prune+hoist' out/dinner.recipe "${picireny[@]}" --phase prune+hoist
measure 'whittle --algorithm perses' small.recipe "${whittle_run[@]}" --algorithm perses
measure 'whittle' small.recipe "${whittle_run[@]}"
