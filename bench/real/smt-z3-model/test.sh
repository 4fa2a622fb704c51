#!/usr/bin/env bash
. "${0%/*}/check.sh"
run 3 "$BENCH_TOOLS/py/z3-solver-4.8.8.0/bin/z3" model_validate=true fp.smt2
said 'an invalid model was generated'
