#!/usr/bin/env bash
. "${0%/*}/check.sh"
run 5 node -e '
const { minify } = require(process.argv[1]);
const source = require("fs").readFileSync("program.js", "utf8");
const printed = (code) => {
  let text = "";
  const log = (...words) => { text += words.map(String).join(" ") + "\n"; };
  require("vm").runInNewContext(code, { console: { log } }, { timeout: 500 });
  return text;
};
const minified = (compress) => {
  const { code, error } = minify(source, { compress });
  if (error) throw error;
  return printed(code);
};
const wanted = printed(source);
const is_wrong = /PASS/.test(wanted) && !/FAIL/.test(wanted) && /FAIL/.test(minified({}));
if (is_wrong && minified({ collapse_vars: false }) === wanted) console.log("MISCOMPILED");' \
    "$BENCH_TOOLS/npm/uglify-es-3.3.9/node_modules/uglify-es"
said MISCOMPILED
