#!/usr/bin/env bash
. "${0%/*}/check.sh"
run 5 node -e '
const { minify } = require(process.argv[1]);
const { error } = minify(require("fs").readFileSync("emitter.js", "utf8"), { compress: { passes: 2 } });
console.log(String(error));' "$BENCH_TOOLS/npm/uglify-es-3.3.9/node_modules/uglify-es"
said "TypeError: Cannot read properties of null (reading '_walk')"
