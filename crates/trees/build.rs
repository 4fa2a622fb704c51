//! Compiles the fence: `setjmp` and signal handlers cannot be written in Rust.

fn main() {
    println!("cargo:rerun-if-changed=src/fence.c");
    cc::Build::new().file("src/fence.c").warnings(true).compile("whittle_fence");
}
