#!/bin/sh
# Runs the bench and updates the tables and plots in docs/benchmarks.md. Arguments go to `whittle-bench run`. Runs that are
# already in bench.jsonl are not repeated.
set -eu
cd "$(dirname "$0")/.."
bench() { cargo run --quiet --release --package whittle-bench -- "$@"; }
cargo build --release --package whittle
bench run --output bench.jsonl "$@"
bench table bench.jsonl --after 100 --into docs/benchmarks.md
bench plot bench.jsonl --output docs/benchmarks
