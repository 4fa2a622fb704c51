#!/usr/bin/env bash
. "${0%/*}/check.sh"
run 5 "$BENCH_TOOLS/npm/esbuild-linux-64-0.8.41/node_modules/esbuild-linux-64/bin/esbuild" --keep-names underscore.js
said 'panic: Internal error'
