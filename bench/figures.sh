#!/bin/sh
# Runs the bench and puts tables and plots into docs/benchmarks.md. Arguments go to `whittle-bench run`; what is in
# bench.jsonl already is not run again.
set -eu
cd "$(dirname "$0")/.."
bench() { cargo run --quiet --release --package whittle-bench -- "$@"; }
cargo build --release --package whittle
bench run --output bench.jsonl "$@"
bench table bench.jsonl --after 100 --into docs/benchmarks.md
bench plot bench.jsonl --output docs/benchmarks
