//! The name or number of a signal.

use std::fmt;
use std::str::FromStr;

use nix::sys::signal::Signal;
use serde::{Deserialize, Serialize};

/// Linux has real-time signals up to 64 (they have no names here), macOS nothing above 31.
const LARGEST: i32 = 64;

/// A signal by its name, or by its number where it has none.
///
/// ```
/// use whittle_property::conditions::SignalName;
///
/// let segv: SignalName = "SIGSEGV".parse()?;
/// assert_eq!(segv, "segv".parse()?);
/// assert_eq!(segv, "11".parse()?);
/// assert_eq!(segv.to_string(), "SEGV");
/// # Ok::<(), whittle_property::conditions::UnknownSignal>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SignalName(i32);

impl SignalName {
    /// The signal of a number that the system reported.
    pub const fn from_raw(number: i32) -> Self {
        Self(number)
    }

    /// The number of the signal on this system.
    pub const fn as_raw(self) -> i32 {
        self.0
    }
}

impl FromStr for SignalName {
    type Err = UnknownSignal;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let unknown = || UnknownSignal(text.to_owned());
        let upper = text.trim().to_ascii_uppercase();
        if !upper.is_empty() && upper.bytes().all(|byte| byte.is_ascii_digit()) {
            let number = upper.parse().map_err(|_| unknown())?;
            return (1..=LARGEST).contains(&number).then_some(Self(number)).ok_or_else(unknown);
        }
        let name = upper.strip_prefix("SIG").unwrap_or(&upper);
        let named: Signal = format!("SIG{name}").parse().map_err(|_| unknown())?;
        Ok(Self(named as i32))
    }
}

impl fmt::Display for SignalName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match Signal::try_from(self.0) {
            Ok(signal) => f.write_str(signal.as_str().trim_start_matches("SIG")),
            Err(_) => write!(f, "{}", self.0),
        }
    }
}

impl fmt::Debug for SignalName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SignalName({self})")
    }
}

/// A text that names no signal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no signal: write a name such as SEGV, ABRT, BUS, FPE, ILL, TRAP or KILL, or a number from 1 to {LARGEST}"
)]
pub struct UnknownSignal(String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_is_read_in_every_usual_spelling() {
        for (text, signal, shown) in [
            ("SEGV", Signal::SIGSEGV, "SEGV"),
            ("SIGSEGV", Signal::SIGSEGV, "SEGV"),
            ("segv", Signal::SIGSEGV, "SEGV"),
            (" SigSegv ", Signal::SIGSEGV, "SEGV"),
            ("11", Signal::SIGSEGV, "SEGV"),
            ("6", Signal::SIGABRT, "ABRT"),
            ("SIGBUS", Signal::SIGBUS, "BUS"),
            ("usr1", Signal::SIGUSR1, "USR1"),
        ] {
            let name: SignalName = text.parse().unwrap();
            assert_eq!((name.as_raw(), name.to_string().as_str()), (signal as i32, shown), "{text}");
        }
    }

    #[test]
    fn a_signal_without_a_name_is_its_number() {
        assert_eq!("40".parse::<SignalName>().unwrap().to_string(), "40");
    }

    #[test]
    fn every_name_and_every_number_is_read_as_it_is_written() {
        for signal in Signal::iterator() {
            assert_eq!(signal.as_str().parse(), Ok(SignalName::from_raw(signal as i32)), "{signal}");
        }
        for number in 1..=LARGEST {
            let signal = SignalName::from_raw(number);
            assert_eq!(signal.to_string().parse(), Ok(signal), "{number}");
        }
    }

    #[test]
    fn the_error_lists_names() {
        for text in ["", "0", "65", "-9", "SIG", "SIGSIGSEGV", "SEGFAULT", "99999999999"] {
            let message = text.parse::<SignalName>().unwrap_err().to_string();
            assert!(message.starts_with(&format!("`{text}` is no signal")) && message.contains("ABRT"), "{message}");
        }
    }
}
