#!/usr/bin/env bash
. "${0%/*}/check.sh"
run 3 "$BENCH_TOOLS/py/z3-solver-4.11.2.0/bin/z3" euf.smt2
said 'ASSERTION VIOLATION'
said 'Failed to verify: idx > 0'
