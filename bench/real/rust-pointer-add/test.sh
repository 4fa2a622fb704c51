#!/usr/bin/env bash
. "${0%/*}/check.sh"
rustc_says slab.rs 
grep -qE 'broken MIR in .*Add\(.*bad assignment .*arith::Add::Output' "$T/log"
