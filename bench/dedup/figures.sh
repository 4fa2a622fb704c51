#!/usr/bin/env bash
# How many duplicates are eliminated, by which algorithm: bench/dedup/figures.sh WORK [COUNT [ALGORITHM...]]
#
# Builds minic, makes COUNT (200) programs over which it fails, and sorts them by `whittle dedup`, once by each algorithm;
# `default` is what whittle dedup does by itself. Prints a row for each, and leaves tables and results in WORK. WHITTLE
# names another binary than the one on PATH, JOBS the number of inputs at once. What was done before is not done again.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$1 count=${2:-200}
shift $(($# < 2 ? $# : 2))
[ $# -gt 0 ] || set -- perses+wprobdd rename trec-shrink trec canon default

mkdir -p "$work"
cc -O2 -o "$work/minic" "$here/minic.c"
[ -d "$work/crashes" ] || "$here/programs.py" "$work/minic" "$work/crashes" "$count"
for algorithm; do
    chosen=(--algorithm "$algorithm")
    [ "$algorithm" = default ] && chosen=()
    "${WHITTLE:-whittle}" dedup --run "$(realpath "$work")/minic {}" --exit 3 --signature 'internal error: (\w+)' "${chosen[@]}" \
        ${JOBS:+--jobs "$JOBS"} "$work/crashes" -o "$work/$algorithm" --json "$work/$algorithm.json" --quiet > "$work/$algorithm.txt"
done
"$here/table.py" "$@" -- "$work"
