#!/usr/bin/env bash
. "${0%/*}/check.sh"
rustc_says linked_hash_map.rs -Znext-solver
said 'compiler/rustc_next_trait_solver/src/solve/assembly/structural_traits.rs:966'
