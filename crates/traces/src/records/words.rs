//! Steps as words of 8 bytes, which the recorder for Python writes because it costs it least. The low byte of the first
//! word of a step says what it is; the rest is the number of its site.
//!
//! The recorder does not know which scopes are open: it names the site of the scope that it closes, and the scopes in it
//! that were left by a return, a break or an exception are closed here.

use std::collections::HashMap;

use super::{Draw, DrawKind, KINDS, Record, Site, draw_of, little_endian};
use crate::trace::{ELSE, Kind, THEN};

/// Closes a scope.
const LEAVE: u64 = 0;
/// Closes what is in a loop, except its round: it exhausted its iterator.
const FINISHED: u64 = 1;
/// Followed by the maximum and the value.
const INTEGER: u64 = 2;
/// Followed by the maximum, the value and the output.
const INTEGER_WITH_OUTPUT: u64 = 3;
/// Followed by the value.
const FRACTION: u64 = 4;
/// Closes what is in a scope.
const WITHIN: u64 = 5;
/// Closes what is in a loop and begins a round.
const ROUND: u64 = 6;
/// Takes the last round back if nothing is in it.
const NO_ROUND: u64 = 7;
/// Plus the kind of scope.
const OPEN: u64 = 8;
/// Closes what is in a scope; the round of a loop stays open.
const BACK: u64 = 13;
/// These close what is in a selection and begin a branch.
const THEN_BRANCH: u64 = 14;
const ELSE_BRANCH: u64 = 15;
/// Followed by a number: closes the scope that was opened as this one of its site, if it is still open.
const LEAVE_NTH: u64 = 16;

const MAX_FRACTION: u64 = (1 << 53) - 1;

/// Reads words, and knows which scopes they leave open.
#[derive(Default)]
pub(super) struct Words {
    open: Vec<Scope>,
    /// How many scopes of each site were opened.
    opened: HashMap<u64, u64>,
}

/// An open scope.
struct Scope {
    /// The number of its site; none for rounds and branches.
    site: Option<u64>,
    /// How many scopes of the site were opened up to it.
    number: u64,
    /// Where its record is.
    record: usize,
}

impl Words {
    /// Appends the steps to `records`; `None` if some word makes no sense.
    pub(super) fn read(&mut self, payload: &[u8], sites: &[Site], records: &mut Vec<Record>) -> Option<()> {
        let mut words = payload.chunks_exact(8).map(little_endian);
        while let Some(first) = words.next() {
            let (what, number) = (first & 0xff, first >> 8);
            let site = sites.get(usize::try_from(number).ok()?)?;
            let mut integer = |count: usize| -> Option<Draw> {
                let max = words.next()?;
                let mut values = words.by_ref().take(count).collect::<Vec<u64>>();
                let outputs = (count == 2).then(|| values.split_off(1));
                draw_of(DrawKind::Integer, max, values, outputs)
            };
            match what {
                INTEGER => records.push(Record::Draw(site.clone(), integer(1)?)),
                INTEGER_WITH_OUTPUT => records.push(Record::Draw(site.clone(), integer(2)?)),
                FRACTION => {
                    let draw = draw_of(DrawKind::Fraction, MAX_FRACTION, vec![words.next()?], None)?;
                    records.push(Record::Draw(site.clone(), draw));
                }
                NO_ROUND => self.take_back(records),
                LEAVE_NTH => {
                    let nth = words.next()?;
                    self.close(what, |scope| scope.site == Some(number) && scope.number == nth, records);
                }
                LEAVE | FINISHED | WITHIN | ROUND | BACK | THEN_BRANCH | ELSE_BRANCH => {
                    self.close(what, |scope| scope.site == Some(number), records);
                }
                kind => {
                    let kind = KINDS.get(usize::try_from(kind.checked_sub(OPEN)?).ok()?)?.1.clone();
                    // Until it is known to be finished.
                    let kind = if matches!(kind, Kind::Loop { .. }) { Kind::Loop { open_ended: true } } else { kind };
                    self.open(Some(number), kind, site.clone(), records);
                }
            }
        }
        Some(())
    }

    fn open(&mut self, number: Option<u64>, kind: Kind, site: Site, records: &mut Vec<Record>) {
        let opened = self.opened.entry(number.unwrap_or(u64::MAX)).or_default();
        *opened += 1;
        self.open.push(Scope { site: number, number: *opened, record: records.len() });
        records.push(Record::Open(kind, site));
    }

    /// Closes what is in the innermost scope that is meant, and does what else the word says.
    fn close(&mut self, what: u64, is_meant: impl Fn(&Scope) -> bool, records: &mut Vec<Record>) {
        let Some(place) = self.open.iter().rposition(is_meant) else { return };
        if let (FINISHED, Some(Record::Open(kind, _))) = (what, records.get_mut(self.open[place].record)) {
            *kind = Kind::Loop { open_ended: false };
        }
        let has_round = self.open.get(place + 1).is_some_and(|scope| scope.site.is_none());
        let left = match what {
            LEAVE | LEAVE_NTH => place,
            BACK | FINISHED if has_round => place + 2,
            _ => place + 1,
        };
        records.extend(self.open.drain(left..).map(|_| Record::Close));
        match what {
            ROUND => self.open(None, Kind::Iteration, "".into(), records),
            THEN_BRANCH => self.open(None, Kind::Branch, THEN.into(), records),
            ELSE_BRANCH => self.open(None, Kind::Branch, ELSE.into(), records),
            _ => {}
        }
    }

    fn take_back(&mut self, records: &mut Vec<Record>) {
        if matches!(records.last(), Some(Record::Open(Kind::Iteration, _))) {
            records.pop();
            self.open.pop();
        }
    }
}
