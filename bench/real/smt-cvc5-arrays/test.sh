#!/usr/bin/env bash
. "${0%/*}/check.sh"
run 3 cvc5 -q -i arrays.smt2
said 'cvc5 suffered a segfault'
said 'Offending address is 0x10'
