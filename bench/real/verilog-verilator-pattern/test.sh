#!/usr/bin/env bash
. "${0%/*}/check.sh"
run 5 verilator --lint-only --timing -Wno-fatal -Wno-lint core.v
grep -q 'Internal Error: .*V3Width.cpp:6251: Node has no type' "$T/log"
