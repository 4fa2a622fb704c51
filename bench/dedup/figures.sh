#!/usr/bin/env bash
# Counts the duplicates that each algorithm finds: bench/dedup/figures.sh WORK [COUNT [ALGORITHM...]]
#
# Builds minic, generates COUNT (500) programs that crash it, and runs `whittle dedup` on them once per algorithm; `default`
# means no --algorithm, `trec-published` T-Rec without the layout. Prints a row for each, and leaves tables and results in WORK. WHITTLE names a binary other than the
# one on PATH, JOBS the number of inputs to reduce in parallel. Finished work is not repeated.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$1 count=${2:-500}
shift $(($# < 2 ? $# : 2))
[ $# -gt 0 ] || set -- perses+wprobdd rename trec-shrink trec-published trec canon default

mkdir -p "$work"
cc -O2 -o "$work/minic" "$here/minic.c"
[ -d "$work/crashes" ] || "$here/programs.py" "$work/minic" "$work/crashes" "$count"
for algorithm; do
    case $algorithm in
    default) chosen=() ;;
    trec-published) chosen=(--algorithm trec --options layout=off) ;;
    *) chosen=(--algorithm "$algorithm") ;;
    esac
    "${WHITTLE:-whittle}" dedup --run "$(realpath "$work")/minic {}" --exit 3 --signature 'internal error: (\w+)' "${chosen[@]}" \
        ${JOBS:+--jobs "$JOBS"} "$work/crashes" -o "$work/$algorithm" --json "$work/$algorithm.json" --quiet > "$work/$algorithm.txt"
done
"$here/table.py" "$@" -- "$work"
