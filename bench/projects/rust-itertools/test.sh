#!/usr/bin/env bash
# Exit 0 if and only if rustc 1.95.0 still has the same internal error in `cargo check` of the workspace in the current folder.
scratch=$PWD/.scratch
mkdir -p "$scratch" || exit 2
trap 'rm -rf "$scratch"' EXIT
# The home folder for Cargo keeps it from writing elsewhere. rustup has its own home.
export RUSTUP_HOME=${RUSTUP_HOME:-$HOME/.rustup} CARGO_HOME=$scratch/home CARGO_TARGET_DIR=$scratch/target TMPDIR=$scratch
export RUSTUP_TOOLCHAIN=1.95.0 RUSTC_BOOTSTRAP=1 RUST_BACKTRACE=0 RUSTC_ICE=0 CARGO_BUILD_JOBS=1 CARGO_INCREMENTAL=0 CARGO_TERM_COLOR=never
timeout 60 cargo check --offline --quiet --workspace >"$scratch/log" 2>&1 </dev/null
grep -qF 'compiler/rustc_borrowck/src/diagnostics/region_errors.rs:785' "$scratch/log"
