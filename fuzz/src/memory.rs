//! How much memory a text takes: what is allocated at the most, in Rust and in C.
//!
//! AddressSanitizer keeps what is freed, and says what is allocated. Without it, the resident memory is that, after what
//! is free has gone back to the system.

/// What is in use, and the most that was in use since [`Meter::start`].
pub struct Meter(usize);

impl Meter {
    pub fn start() -> Self {
        Self(imp::start())
    }

    /// The most that was in use, beyond what was in use at the start.
    pub fn peak(&self) -> usize {
        imp::peak().saturating_sub(self.0)
    }
}

#[cfg(asan)]
mod imp {
    use std::ffi::c_void;
    use std::sync::Once;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    static IN_USE: AtomicUsize = AtomicUsize::new(0);
    static PEAK: AtomicUsize = AtomicUsize::new(0);

    unsafe extern "C" {
        fn __sanitizer_install_malloc_and_free_hooks(
            on_malloc: extern "C" fn(*const c_void, usize),
            on_free: extern "C" fn(*const c_void),
        ) -> i32;
        fn __sanitizer_get_allocated_size(block: *const c_void) -> usize;
        fn __sanitizer_get_current_allocated_bytes() -> usize;
    }

    extern "C" fn on_malloc(_: *const c_void, size: usize) {
        PEAK.fetch_max(IN_USE.fetch_add(size, Relaxed) + size, Relaxed);
    }

    extern "C" fn on_free(block: *const c_void) {
        if !block.is_null() {
            // SAFETY: the sanitizer calls this for a block that it is about to free.
            IN_USE.fetch_sub(unsafe { __sanitizer_get_allocated_size(block) }, Relaxed);
        }
    }

    pub fn start() -> usize {
        static HOOKS: Once = Once::new();
        // SAFETY: the hooks allocate nothing, and live as long as the program.
        HOOKS.call_once(|| unsafe {
            IN_USE.store(__sanitizer_get_current_allocated_bytes(), Relaxed);
            __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
        });
        let now = IN_USE.load(Relaxed);
        PEAK.store(now, Relaxed);
        now
    }

    pub fn peak() -> usize {
        PEAK.load(Relaxed)
    }
}

#[cfg(not(asan))]
mod imp {
    unsafe extern "C" {
        fn malloc_trim(keep: usize) -> i32;
    }

    pub fn start() -> usize {
        // SAFETY: it gives back what is free.
        unsafe { malloc_trim(0) };
        // Forgets the most memory that was in use.
        let _ = std::fs::write("/proc/self/clear_refs", "5");
        status("VmRSS:")
    }

    pub fn peak() -> usize {
        status("VmHWM:")
    }

    fn status(name: &str) -> usize {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
        line.split_whitespace().next().and_then(|word| word.parse::<usize>().ok()).unwrap_or_default() << 10
    }
}
