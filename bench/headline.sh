#!/bin/sh
# Draws the picture in the README, docs/benchmarks/headline.svg: size over test runs on three subjects. Peers that are not
# installed are skipped. Runs that are already in headline.jsonl are not repeated.
set -eu
cd "$(dirname "$0")/.."
bench() { cargo run --quiet --release --package whittle-bench -- "$@"; }
cargo build --release --package whittle
bench run --output headline.jsonl --timeout 5m --only whittle,cvise,picire,jsdelta,c-aliasing,json-extends,yaml-merge
plots=$(mktemp -d)
trap 'rm -r "$plots"' EXIT
bench plot headline.jsonl --output "$plots"
mv "$plots/sizes.svg" docs/benchmarks/headline.svg
