#!/usr/bin/env bash
. "${0%/*}/check.sh"
run 5 node -e '
const { parseString } = require(process.argv[1]);
const strange = (value) => {
  if (value === null || typeof value !== "object") return false;
  const prototype = Object.getPrototypeOf(value);
  const usual = Array.isArray(value) ? [Array.prototype] : [null, Object.prototype];
  if (!usual.includes(prototype)) return Object.keys(prototype).length > 0 || Array.isArray(prototype);
  return Object.values(value).some(strange);
};
parseString(require("fs").readFileSync("base.xml", "utf8"), (error, result) => {
  if (!error && result && strange(result)) console.log("POLLUTED");
});' "$BENCH_TOOLS/npm/xml2js-0.4.23/node_modules/xml2js"
said POLLUTED
