//! How much memory a text takes: what is allocated at the most, in Rust and in C.
//!
//! AddressSanitizer says what is allocated. Without it, the functions of the C library are replaced by counting ones.

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
    //! All allocations of the program go through these functions, which count and call those of the C library. The resident
    //! memory would not do: it depends on what the system has taken back meanwhile, by a sixth.

    use std::ffi::{c_int, c_void};
    use std::ptr;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    static IN_USE: AtomicUsize = AtomicUsize::new(0);
    static PEAK: AtomicUsize = AtomicUsize::new(0);

    unsafe extern "C" {
        fn __libc_malloc(size: usize) -> *mut c_void;
        fn __libc_calloc(number: usize, size: usize) -> *mut c_void;
        fn __libc_realloc(block: *mut c_void, size: usize) -> *mut c_void;
        fn __libc_memalign(alignment: usize, size: usize) -> *mut c_void;
        fn __libc_free(block: *mut c_void);
        fn malloc_usable_size(block: *mut c_void) -> usize;
    }

    pub fn start() -> usize {
        let now = IN_USE.load(Relaxed);
        PEAK.store(now, Relaxed);
        now
    }

    pub fn peak() -> usize {
        PEAK.load(Relaxed)
    }

    fn size_of(block: *mut c_void) -> usize {
        // SAFETY: it is a block of the C library, or null, which has no size.
        unsafe { malloc_usable_size(block) }
    }

    fn allocated(block: *mut c_void) -> *mut c_void {
        let size = size_of(block);
        PEAK.fetch_max(IN_USE.fetch_add(size, Relaxed) + size, Relaxed);
        block
    }

    #[unsafe(no_mangle)]
    extern "C" fn malloc(size: usize) -> *mut c_void {
        // SAFETY: this and what follows is what the caller asked for.
        allocated(unsafe { __libc_malloc(size) })
    }

    #[unsafe(no_mangle)]
    extern "C" fn calloc(number: usize, size: usize) -> *mut c_void {
        // SAFETY: as above.
        allocated(unsafe { __libc_calloc(number, size) })
    }

    #[unsafe(no_mangle)]
    unsafe extern "C" fn realloc(block: *mut c_void, size: usize) -> *mut c_void {
        let before = size_of(block);
        // SAFETY: as above.
        let moved = unsafe { __libc_realloc(block, size) };
        if moved.is_null() && size > 0 {
            return moved;
        }
        IN_USE.fetch_sub(before, Relaxed);
        allocated(moved)
    }

    #[unsafe(no_mangle)]
    extern "C" fn memalign(alignment: usize, size: usize) -> *mut c_void {
        // SAFETY: as above.
        allocated(unsafe { __libc_memalign(alignment, size) })
    }

    #[unsafe(no_mangle)]
    extern "C" fn aligned_alloc(alignment: usize, size: usize) -> *mut c_void {
        memalign(alignment, size)
    }

    #[unsafe(no_mangle)]
    unsafe extern "C" fn posix_memalign(block: *mut *mut c_void, alignment: usize, size: usize) -> c_int {
        const ENOMEM: c_int = 12;
        let made = memalign(alignment, size);
        // SAFETY: the caller gives a place for it.
        unsafe { ptr::write(block, made) };
        if made.is_null() { ENOMEM } else { 0 }
    }

    #[unsafe(no_mangle)]
    unsafe extern "C" fn free(block: *mut c_void) {
        IN_USE.fetch_sub(size_of(block), Relaxed);
        // SAFETY: as above.
        unsafe { __libc_free(block) };
    }
}
