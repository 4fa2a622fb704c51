#!/usr/bin/env bash
. "${0%/*}/check.sh"
run 5 iverilog -g2012 -o "$T/out" core.v
grep -q 't-dll-api.cc:1770: unsigned int ivl_nexus_ptrs.*Assertion .net. failed' "$T/log"
