#!/usr/bin/env bash
# Measures what T-Rec saves on generated inputs: bench/trec/figures.sh WORK [COUNT]
#
# Reduces COUNT (8) Csmith programs for which the kinds of gcc's warnings stay the same, and as many random formulas for
# which Z3 reaches the same parts of the solver, with Perses and with Perses and T-Rec. Prints a row for each. WHITTLE names a
# binary other than the one on PATH, Z3 a solver. Needs gcc and csmith. Finished work is not repeated.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$1 count=${2:-8}
mkdir -p "$work"
[ -d "$work/c" ] || "$here/programs.sh" "$work/c" "$count"
[ -d "$work/smtlib" ] || "$here/formulas.py" "$work/smtlib" "$count"
reduce() {
    "${WHITTLE:-whittle}" dedup --run "$here/$2 {}" --signature "$3" --algorithm "$4" "$work/$1" -o "$work/$1-$4" --quiet \
        ${JOBS:+--jobs "$JOBS"} --json "$work/$1-$4.json" > "$work/$1-$4.txt"
}
for algorithm in perses-classic+ddmin perses-classic+ddmin+trec; do
    reduce c warnings.sh 'warnings: (-.+)' $algorithm
    reduce smtlib counters.sh 'counters: (:.+)' $algorithm
done
"$here/table.py" "$work" c smtlib
