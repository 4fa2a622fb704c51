//! [`Fingerprint`]: what makes an item the same in another run. A replay looks for the item with the recorded
//! fingerprint, wherever it is in the list now.

/// Names an item, so that a replay can choose it again when there are more or fewer items around it.
///
/// Equal items have equal fingerprints, also in other runs of the program: use values, never addresses. Numbers are
/// their own fingerprints; text and compound values are hashed with FNV-1a.
#[diagnostic::on_unimplemented(
    message = "it is unknown what makes a `{Self}` the same in another run",
    note = "use `choose_by` with a key, `index` if the items are always the same, or implement `Fingerprint`"
)]
pub trait Fingerprint {
    /// The fingerprint.
    fn fingerprint(&self) -> u64;
}

const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0100_0000_01b3;

fn hash(bytes: &[u8], basis: u64) -> u64 {
    bytes.iter().fold(basis, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(PRIME))
}

/// Combines the fingerprints of the parts of a value.
fn combine(parts: impl Iterator<Item = u64>) -> u64 {
    parts.fold(BASIS, |hash_so_far, part| hash(&part.to_le_bytes(), hash_so_far))
}

macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl Fingerprint for $number {
            fn fingerprint(&self) -> u64 {
                *self as u64
            }
        }
    )*};
}

numbers!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize char bool);

impl Fingerprint for str {
    fn fingerprint(&self) -> u64 {
        hash(self.as_bytes(), BASIS)
    }
}

impl Fingerprint for String {
    fn fingerprint(&self) -> u64 {
        self.as_str().fingerprint()
    }
}

impl Fingerprint for f64 {
    fn fingerprint(&self) -> u64 {
        self.to_bits()
    }
}

impl Fingerprint for () {
    fn fingerprint(&self) -> u64 {
        BASIS
    }
}

impl<T: Fingerprint + ?Sized> Fingerprint for &T {
    fn fingerprint(&self) -> u64 {
        (**self).fingerprint()
    }
}

impl<T: Fingerprint> Fingerprint for [T] {
    fn fingerprint(&self) -> u64 {
        combine(self.iter().map(Fingerprint::fingerprint))
    }
}

impl<T: Fingerprint> Fingerprint for Vec<T> {
    fn fingerprint(&self) -> u64 {
        self.as_slice().fingerprint()
    }
}

impl<T: Fingerprint> Fingerprint for Option<T> {
    fn fingerprint(&self) -> u64 {
        self.as_slice().fingerprint()
    }
}

impl<A: Fingerprint, B: Fingerprint> Fingerprint for (A, B) {
    fn fingerprint(&self) -> u64 {
        combine([self.0.fingerprint(), self.1.fingerprint()].into_iter())
    }
}

impl<A: Fingerprint, B: Fingerprint, C: Fingerprint> Fingerprint for (A, B, C) {
    fn fingerprint(&self) -> u64 {
        combine([self.0.fingerprint(), self.1.fingerprint(), self.2.fingerprint()].into_iter())
    }
}
