//! Numbers and times as people read them.

use std::time::Duration;

/// `12345678` as `12,345,678`.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join(",")
}

/// `1 token`, `1,200 tokens`.
pub(crate) fn counted(number: u64, noun: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {noun}{ending}", count(number))
}

/// `part` of `whole` in percent: one digit behind the point below ten.
pub(crate) fn percent(part: f64, whole: f64) -> String {
    let percent = if whole > 0.0 { 100.0 * part / whole } else { 0.0 };
    if percent < 9.95 { format!("{percent:.1}%") } else { format!("{percent:.0}%") }
}

/// `0.42 s`, `12.3 s`, `4m 05s`, `2h 03m`.
pub(crate) fn time(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    let whole = seconds.round() as u64;
    match seconds {
        s if s < 9.995 => format!("{s:.2} s"),
        s if s < 59.95 => format!("{s:.1} s"),
        s if s < 3599.5 => format!("{}m {:02}s", whole / 60, whole % 60),
        _ => format!("{}h {:02}m", whole / 3600, whole % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        let shown: Vec<String> = [0, 7, 999, 1000, 65536, 12_345_678].into_iter().map(count).collect();
        assert_eq!(shown, ["0", "7", "999", "1,000", "65,536", "12,345,678"]);
    }

    #[test]
    fn one_of_a_kind_is_singular() {
        assert_eq!([0, 1, 1200].map(|number| counted(number, "token")), ["0 tokens", "1 token", "1,200 tokens"]);
    }

    #[test]
    fn shares_have_a_digit_behind_the_point_only_below_ten() {
        let shown: Vec<String> =
            [(1.0, 3.0), (1.0, 20.0), (0.0, 0.0), (99.6, 1000.0), (5.0, 5.0)].map(|(a, b)| percent(a, b)).into();
        assert_eq!(shown, ["33%", "5.0%", "0.0%", "10%", "100%"]);
    }

    #[test]
    fn times_have_the_unit_that_fits() {
        let shown: Vec<String> = [0.42, 12.34, 59.99, 245.0, 7384.0].map(|s| time(Duration::from_secs_f64(s))).into();
        assert_eq!(shown, ["0.42 s", "12.3 s", "1m 00s", "4m 05s", "2h 03m"]);
    }
}
