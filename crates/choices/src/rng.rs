//! [`Source`] as a random number generator, for code that uses `rand`. Nothing is known about the meaning of the
//! numbers.

use std::convert::Infallible;

use rand_core::TryRng;

use crate::source::Source;

impl TryRng for Source {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.draw_named("rng u32", u64::from(u32::MAX)) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.draw_named("rng u64", u64::MAX))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        bytes.fill_with(|| self.draw_named("rng byte", u64::from(u8::MAX)) as u8);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use rand_core::Rng;

    use super::Source;

    #[test]
    fn a_source_is_a_random_number_generator() {
        let (mut a, mut b) = (Source::seeded(5), Source::seeded(5));
        assert_eq!((a.next_u32(), a.next_u64()), (b.next_u32(), b.next_u64()));
        let mut bytes = [0; 64];
        a.fill_bytes(&mut bytes);
        assert!(bytes.iter().any(|byte| *byte > 0));
    }
}
