//! Steps as words of 8 bytes, which the recorder for Python writes because it costs it least. The low byte of the first
//! word of a step says what it is; the rest is the number of its site.

use super::{Draw, DrawKind, KINDS, Record, Site, draw_of, little_endian};

const CLOSE: usize = 0;
const OPEN_ENDED: usize = 1;
/// Followed by the maximum and the value.
const INTEGER: usize = 2;
/// Followed by the maximum, the value and the output.
const INTEGER_WITH_OUTPUT: usize = 3;
/// Followed by the value.
const FRACTION: usize = 4;
/// Plus the kind of scope.
const OPEN: usize = 8;

const MAX_FRACTION: u64 = (1 << 53) - 1;

/// Appends the steps to `records`; `None` if some word makes no sense.
pub(super) fn read(payload: &[u8], sites: &[Site], records: &mut Vec<Record>) -> Option<()> {
    let mut words = payload.chunks_exact(8).map(little_endian);
    while let Some(first) = words.next() {
        let site = || sites.get(usize::try_from(first >> 8).ok()?).cloned();
        let mut integer = |count: usize| -> Option<Draw> {
            let max = words.next()?;
            let mut values = words.by_ref().take(count).collect::<Vec<u64>>();
            let outputs = (count == 2).then(|| values.split_off(1));
            draw_of(DrawKind::Integer, max, values, outputs)
        };
        records.push(match (first & 0xff) as usize {
            CLOSE => Record::Close,
            OPEN_ENDED => Record::OpenEnded,
            INTEGER => Record::Draw(site()?, integer(1)?),
            INTEGER_WITH_OUTPUT => Record::Draw(site()?, integer(2)?),
            FRACTION => Record::Draw(site()?, draw_of(DrawKind::Fraction, MAX_FRACTION, vec![words.next()?], None)?),
            kind => Record::Open(KINDS.get(kind.checked_sub(OPEN)?)?.1.clone(), site()?),
        });
    }
    Some(())
}
