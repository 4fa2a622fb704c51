#!/usr/bin/env bash
# build.sh OUT: the ES modules of Ramda 0.27.1, with barrel files for the type predicates that import each other (see README.md).
source "$(dirname "$0")/../fetch.sh"
begin "$1"
npm_tool rollup 0.34.3
npm_package ramda 0.27.1 "$SCRATCH/ramda"
cp -r "$SCRATCH/ramda/es" "$SCRATCH/ramda/package.json" "$SCRATCH/ramda/LICENSE.txt" "$out"
cd "$out/es"

cat >internal/_kinds.js <<'JS'
export * from "./_isNumber.js";
export * from "./_isString.js";
JS
cat >internal/_numberKinds.js <<'JS'
export * from "../index.js";
export * from "./_isString.js";
JS
cat >internal/_stringKinds.js <<'JS'
export * from "../index.js";
export * from "./_isNumber.js";
JS
cat >>internal/_isNumber.js <<'JS'

import * as numberKinds from "./_numberKinds.js";
export function isCountable(x) {
  return _isNumber(x) && numberKinds.is(Number, x);
}
JS
cat >>internal/_isString.js <<'JS'

import * as stringKinds from "./_stringKinds.js";
export function isPrintable(x) {
  return _isString(x) && stringKinds.is(String, x);
}
JS
cat >>index.js <<'JS'

import * as kinds from "./internal/_kinds.js";
export var isScalar = function isScalar(x) {
  return kinds.isCountable(x) || kinds.isPrintable(x);
};
JS
finish
