//! The order in which the parts of a list are tried: direction, and what happens after a success.

/// From which end of the list the parts are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The first part first.
    Forward,
    /// The last part first.
    Backward,
}

/// Where to go on when a part could be removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterSuccess {
    /// Behind the removed part, and round the end of the list.
    Continue,
    /// At the first part in order.
    Restart,
}

/// How the complements (the list without one part) are tried.
///
/// By default backward, continuing after a success: declarations come before their uses, so removing from the end
/// makes earlier parts removable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Complements {
    /// From which end.
    pub order: Order,
    /// Where to go on after a success.
    pub after_success: AfterSuccess,
}

impl Default for Complements {
    fn default() -> Self {
        Self { order: Order::Backward, after_success: AfterSuccess::Continue }
    }
}

impl Order {
    /// The part at a turn.
    pub(crate) fn index(self, turn: usize, parts: usize) -> usize {
        match self {
            Self::Forward => turn,
            Self::Backward => parts - 1 - turn,
        }
    }
}

impl Complements {
    /// The part to leave out at a turn. The offset is a fraction only where a growing granularity has scaled it.
    pub(crate) fn index(self, turn: usize, parts: usize, offset: f64) -> usize {
        ((self.order.index(turn, parts) as f64 + offset) % parts as f64) as usize
    }

    /// The offset for the next round after the part `removed` could be left out.
    pub(crate) fn offset_after(self, removed: usize) -> f64 {
        match self.after_success {
            AfterSuccess::Continue => removed as f64,
            AfterSuccess::Restart => 0.0,
        }
    }
}
