rust_source strsim 0.10.0 >strsim.rs
cat >>strsim.rs <<'END'

/// Keeps distances that were computed before.
#[derive(Debug)]
pub struct Remembered<#[cfg(feature = "keys")] Key: Into<char>> {
    keys: Vec<Key>,
    distances: Vec<usize>,
}
END
