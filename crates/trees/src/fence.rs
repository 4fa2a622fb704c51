//! [`fenced`]: runs third-party C so that a crash, an endless loop or a lack of memory ends that call and nothing else.
//!
//! `fence.c` does it; docs/decisions/0015-a-fence-around-parsers.md says why so, and what it cannot do. Outside a parser
//! that fails it costs 0.1 µs a call, and a few instructions for each allocation of tree-sitter.

#![allow(unsafe_code, reason = "parsers are C, and only C can leave them")]

use std::ffi::{CString, c_char, c_int, c_void};
use std::fmt;
use std::sync::Once;

/// How a parser failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fault {
    /// A signal ended it, such as `SIGSEGV`.
    Crashed(i32),
    /// It did not come to an end.
    Hung,
    /// It took too much memory.
    Greedy,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Crashed(signal) => match CRASHES.iter().find(|(number, _)| *number == signal) {
                Some((_, name)) => write!(f, "crashed with {name}"),
                None => write!(f, "crashed with signal {signal}"),
            },
            Self::Hung => f.write_str("did not come to an end"),
            Self::Greedy => f.write_str("took too much memory"),
        }
    }
}

/// The numbers that all systems agree on. That of SIGBUS is Linux's.
const CRASHES: [(i32, &str); 5] = [(4, "SIGILL"), (6, "SIGABRT"), (7, "SIGBUS"), (8, "SIGFPE"), (11, "SIGSEGV")];

/// How a call in the fence was left before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Left {
    pub(crate) fault: Fault,
    /// Whether it was left at a call of the fence's own functions, so that what it had can be freed. Else it may have been in
    /// the middle of anything.
    pub(crate) is_orderly: bool,
}

/// What a call in the fence may use, and has used.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Meter {
    /// Bytes of tree-sitter that are allocated and not freed.
    pub(crate) live: i64,
    /// Bytes of tree-sitter that were ever allocated.
    pub(crate) allocated: i64,
    /// The most that may be live.
    pub(crate) max_live: i64,
    /// Processor time.
    pub(crate) max_millis: i64,
    blocks: *mut usize,
    block_bits: u32,
    block_count: u32,
    keeps_blocks: bool,
}

impl Meter {
    /// With these limits; and with a record of the blocks in use, if they may have to be freed.
    pub(crate) fn new(max_live: i64, max_millis: i64, keeps_blocks: bool) -> Self {
        let blocks = std::ptr::null_mut();
        Self { live: 0, allocated: 0, max_live, max_millis, blocks, block_bits: 0, block_count: 0, keeps_blocks }
    }

    /// Drops the record of the blocks in use: others free them, or nobody.
    pub(crate) fn forget_blocks(&mut self) {
        // SAFETY: the table is this meter's.
        unsafe { whittle_fence_forget(self, false) };
    }

    /// Frees all blocks that were allocated in the fence and are still in use, if there is a record of them.
    ///
    /// # Safety
    ///
    /// Nobody may have any of them.
    pub(crate) unsafe fn free_blocks(&mut self) {
        // SAFETY: the table is this meter's, and the caller promises the rest.
        unsafe { whittle_fence_forget(self, true) };
    }
}

unsafe extern "C" {
    fn whittle_fence_run(
        body: unsafe extern "C" fn(*mut c_void),
        data: *mut c_void,
        meter: *mut Meter,
        lexer: *mut c_void,
    ) -> c_int;
    pub(crate) fn whittle_fence_malloc(size: usize) -> *mut c_void;
    fn whittle_fence_calloc(number: usize, size: usize) -> *mut c_void;
    fn whittle_fence_realloc(block: *mut c_void, size: usize) -> *mut c_void;
    fn whittle_fence_free(block: *mut c_void);
    fn whittle_fence_forget(meter: *mut Meter, are_lost: bool);
    fn whittle_fence_millis() -> i64;
    fn whittle_fence_give_back();
    fn whittle_fence_restart(words: *mut *mut c_char, environment: *mut *mut c_char);
}

/// The processor time that this thread has used, in milliseconds.
pub(crate) fn thread_millis() -> i64 {
    // SAFETY: it reads a clock.
    unsafe { whittle_fence_millis() }
}

/// Gives memory that is free back to the system. After a parse that took much of it, that is worth a millisecond.
pub(crate) fn give_back() {
    // SAFETY: it changes nothing that is in use.
    unsafe { whittle_fence_give_back() };
}

/// From now on, a crash of this process, wherever it happens, starts `program` in its place, with these arguments (the name
/// of the program first) and this environment (`NAME=value`). For programs that can go on from what is on disk: parsers that
/// write where they must not can make anything crash later.
pub fn restart_on_crash(program: CString, arguments: Vec<CString>, environment: Vec<CString>) {
    let words = std::iter::once(program).chain(arguments);
    // SAFETY: the pointers are to texts that are never freed, and both lists end with a null.
    unsafe { whittle_fence_restart(for_good(words), for_good(environment)) };
}

/// A list as C wants it, which stays.
fn for_good(words: impl IntoIterator<Item = CString>) -> *mut *mut c_char {
    let pointers = words.into_iter().map(CString::into_raw).chain([std::ptr::null_mut()]);
    Box::leak(pointers.collect::<Box<[_]>>()).as_mut_ptr()
}

/// Lets `body` work on `data` in the fence. `lexer` is what scanners read by, if `body` runs one: the parser itself.
///
/// # Safety
///
/// `body` must be fine with `data`, and own nothing that has to be dropped: it may be left at any call. It must not enter
/// another fence. `meter` and `lexer` must live as long as the call.
pub(crate) unsafe fn fenced(
    body: unsafe extern "C" fn(*mut c_void),
    data: *mut c_void,
    meter: *mut Meter,
    lexer: *mut c_void,
) -> Result<(), Left> {
    static COUNTED: Once = Once::new();
    COUNTED.call_once(|| {
        // SAFETY: they do as malloc and the like, and take blocks of these too.
        unsafe {
            tree_sitter::ffi::ts_set_allocator(
                Some(whittle_fence_malloc),
                Some(whittle_fence_calloc),
                Some(whittle_fence_realloc),
                Some(whittle_fence_free),
            );
        }
    });
    // SAFETY: what is asked for is what the caller promises.
    match unsafe { whittle_fence_run(body, data, meter, lexer) } {
        0 => Ok(()),
        -1 => Err(Left { fault: Fault::Hung, is_orderly: true }),
        -2 => Err(Left { fault: Fault::Greedy, is_orderly: true }),
        -3 => Err(Left { fault: Fault::Hung, is_orderly: false }),
        signal => Err(Left { fault: Fault::Crashed(signal), is_orderly: false }),
    }
}
