#!/usr/bin/env bash
. "${0%/*}/check.sh"
rustc_says strsim.rs 
said 'Should not have unglued last token with cfg attr'
