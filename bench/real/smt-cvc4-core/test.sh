#!/usr/bin/env bash
. "${0%/*}/check.sh"
run 3 cvc4 -q core.smt2
said 'CVC4 suffered a segfault'
said 'Offending address is 0x30'
