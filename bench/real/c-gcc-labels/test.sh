#!/usr/bin/env bash
. "${0%/*}/check.sh"
lean 10 gcc-12 -std=gnu17 -O0 -w -S -o "$T/o.s" inflate.c
said 'internal compiler error: output_operand: invalid expression as operand'
only_ice
