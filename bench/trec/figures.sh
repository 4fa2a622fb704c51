#!/usr/bin/env bash
# Measures what T-Rec saves on generated inputs: bench/trec/figures.sh WORK [COUNT]
#
# Reduces COUNT (8) Csmith programs for which the kinds of gcc's warnings stay the same, as many random Rust libraries for
# which rustc's lints do, and as many random formulas for which Z3 reaches the same parts of the solver, with Perses and with
# Perses and T-Rec. Prints a row for each. WHITTLE names a binary other than the one on PATH, Z3 a solver, ONLY some of the
# languages c, rust and smtlib. Needs gcc, csmith and rustc. Finished work is not repeated.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$1 count=${2:-8}
mkdir -p "$work"
declare -A maker=([c]=programs.sh [rust]=crates.py [smtlib]=formulas.py)
declare -A test=([c]=warnings.sh [rust]=lints.sh [smtlib]=counters.sh)
declare -A kept=([c]='warnings: (-.+)' [rust]='lints: (.+)' [smtlib]='counters: (:.+)')
read -ra languages <<< "${ONLY:-c rust smtlib}"
reduce() {
    "${WHITTLE:-whittle}" dedup --run "$here/$2 {}" --signature "$3" --algorithm "$4" "$work/$1" -o "$work/$1-$4" --quiet \
        ${JOBS:+--jobs "$JOBS"} --json "$work/$1-$4.json" > "$work/$1-$4.txt"
}
for language in "${languages[@]}"; do
    [ -d "$work/$language" ] || "$here/${maker[$language]}" "$work/$language" "$count"
    for algorithm in perses-classic+ddmin perses-classic+ddmin+trec; do
        reduce "$language" "${test[$language]}" "${kept[$language]}" $algorithm
    done
done
"$here/table.py" "$work" "${languages[@]}"
