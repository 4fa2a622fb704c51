#!/usr/bin/env bash
. "${0%/*}/check.sh"
rustc_says vec_map.rs 
said 'compiler/rustc_infer/src/infer/lexical_region_resolve/mod.rs:487'
