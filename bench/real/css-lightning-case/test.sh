#!/usr/bin/env bash
. "${0%/*}/check.sh"
run 5 node -e '
const { transform } = require(process.argv[1]);
transform({ filename: "pure.css", code: require("fs").readFileSync("pure.css"), minify: true, errorRecovery: true,
  drafts: { nesting: true, customMedia: true }, targets: { chrome: 60 << 16, safari: 10 << 16 } });' \
    "$BENCH_TOOLS/npm/lightningcss-1.15.0/node_modules/lightningcss"
grep -q 'entered unreachable code.*src/selector.rs:478' "$T/log"
