#!/bin/sh
# Prints the lints by which rustc warns about a library without errors: lints.sh FILE
export LC_ALL=C
said=$(rustc --crate-type lib --edition 2021 --emit metadata -o candidate.rmeta "$1" 2>&1) || exit 1
# rustc names a lint in a note to its first warning.
echo "lints:$(echo "$said" | grep -o 'note: `#\[warn([a-z_]*' | grep -v unused_variables | sed 's/.*(/ /' | sort | tr -d '\n')"
