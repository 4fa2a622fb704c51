#!/usr/bin/env bash
. "${0%/*}/check.sh"
rustc_says either.rs 
said 'compiler/rustc_borrowck/src/type_check/relate_tys.rs:366'
