#!/bin/sh
# What each rule is worth on some subjects: reduces them, and prints a table of passes and rules.
#
#     figures.sh WHITTLE SUBJECT...
#
# A subject is a folder with test.sh and meta.toml, as those in bench/subjects. One run each, with one worker and at most
# fifteen minutes.
set -eu
tools=$(dirname "$0")
whittle=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for subject in "$@"; do
    name=$(basename "$subject")
    input=$(sed -n 's/^input *= *"\(.*\)".*/\1/p' "$subject/meta.toml")
    "$whittle" reduce --quiet --jobs 1 --max-time 15m --json "$folder/$name.json" --output "$folder/$name.out" \
        "$subject/test.sh" "$subject/$input" || true
done
"$tools/worth.py" "$folder"/*.json
