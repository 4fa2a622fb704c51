//! How many bytes a piece of work allocates: a cost that is the same on every machine.
#![allow(unsafe_code, reason = "an allocator is unsafe to write; this one only counts and hands on")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

thread_local! {
    /// The bytes that this thread has ever asked for.
    static BYTES: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: all that is asked is handed on to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        BYTES.set(BYTES.get() + layout.size() as u64);
        // SAFETY: the caller keeps the contract of this function, which is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above; all pointers come from the system's allocator.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// What the work gives, and how many bytes it allocates on this thread.
pub(crate) fn allocated<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let before = BYTES.get();
    let given = work();
    (given, BYTES.get() - before)
}
