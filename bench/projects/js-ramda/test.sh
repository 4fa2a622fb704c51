#!/usr/bin/env bash
# Exit 0 if and only if rollup 0.34.3 still dies with the same TypeError, at the same place, on es/index.js of the current folder.
rollup=${BENCH_TOOLS:-$HOME/.cache/whittle-bench}/npm/rollup-0.34.3/node_modules/rollup
timeout 60 node -e '
require(process.argv[1]).rollup({ entry: "es/index.js", onwarn: function () {} })
  .catch(function (error) { console.log(error.stack); });' "$rollup" 2>&1 </dev/null |
    grep -A 2 '^TypeError: Cannot convert undefined or null to object$' | grep -qF 'rollup.js:7377:6'
