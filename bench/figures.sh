#!/bin/sh
# Renews the tables and plots of docs/benchmarks.md: makes the real bugs, installs the peers, runs Whittle with every effort
# and all peers on all subjects, up to two hours each, and stamps the results with commit, versions and machine.
#
# Arguments go to `whittle-bench run`, in place of the default selection: bench/figures.sh --timeout 10m --only 'whittle,c-*'.
# Runs that are already in bench.jsonl are not repeated, so a run that was stopped goes on where it was. To run Perses too, give
# its jar: bench/figures.sh --timeout 2h --perses JAR.
set -eu
cd "$(dirname "$0")/.."
export BENCH_TOOLS="${BENCH_TOOLS:-$HOME/.cache/whittle-bench}"
export BENCH_REAL="${BENCH_REAL:-$BENCH_TOOLS/real}"
[ $# -gt 0 ] || set -- --timeout 2h --only 'whittle,whittle-quick,whittle-max,cvise,creduce,shrinkray,treereduce-*,picireny,ddsmt,jsdelta,llvm-reduce,perses*'
bench() { cargo run --quiet --release --package whittle-bench --features all-languages -- "$@"; }
bench/real/setup.sh
PATH=$(bench/peers.sh)
cargo build --release --package whittle --features all-languages
bench run --subjects "$BENCH_REAL" --output bench.jsonl --keep bench.results "$@"
bench table bench.jsonl --after 100,1000 --into docs/benchmarks.md
bench plot bench.jsonl --output docs/benchmarks
