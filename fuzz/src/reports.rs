//! How often AddressSanitizer has reported an access to memory that is not the parser's. It prints each, and goes on.

#[cfg(asan)]
pub use asan::reports;

/// Without the sanitizer, there are none.
#[cfg(not(asan))]
pub fn reports() -> usize {
    0
}

#[cfg(asan)]
mod asan {
    use std::ffi::c_char;
    use std::sync::Once;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    static REPORTS: AtomicUsize = AtomicUsize::new(0);

    unsafe extern "C" {
        fn __asan_set_error_report_callback(callback: extern "C" fn(*const c_char));
    }

    extern "C" fn count(_: *const c_char) {
        REPORTS.fetch_add(1, Relaxed);
    }

    /// The reports since the first call.
    pub fn reports() -> usize {
        static CALLBACK: Once = Once::new();
        // SAFETY: the callback lives as long as the program.
        CALLBACK.call_once(|| unsafe { __asan_set_error_report_callback(count) });
        REPORTS.load(Relaxed)
    }
}
