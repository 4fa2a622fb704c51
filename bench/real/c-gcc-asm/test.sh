#!/usr/bin/env bash
. "${0%/*}/check.sh"
lean 10 gcc-12 -std=gnu17 -O0 -w -S -o "$T/o.s" lvm.c
said 'internal compiler error: Segmentation fault'
only_ice
# The crash is that of the operand: it is gone if the operand is a register.
sed 's/"m"/"r"/g' lvm.c >"$T/other.c"
lean 10 gcc-12 -std=gnu17 -O0 -w -S -o "$T/o.s" "$T/other.c"
! grep -qF 'internal compiler error: Segmentation fault' "$T/log"
