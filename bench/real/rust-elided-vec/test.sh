#!/usr/bin/env bash
. "${0%/*}/check.sh"
rustc_says thin_vec.rs 
said 'compiler/rustc_borrowck/src/diagnostics/region_errors.rs:785'
