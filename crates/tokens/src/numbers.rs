//! Numbers in plainer spellings: the same value in decimal, without separators, without a suffix.

/// Other spellings of a number, the plainest first; none if the text is no whole number.
pub(crate) fn plainer(text: &str) -> Vec<String> {
    let (sign, rest) = text.split_at(text.len() - text.trim_start_matches(['-', '+']).len());
    let (base, digits) = based(rest);
    let end = digits.find(|c: char| !(c.is_digit(base) || is_separator(c))).unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    let Ok(value) = u128::from_str_radix(&digits.replace(is_separator, ""), base) else { return Vec::new() };
    if !suffix.chars().all(|c| c.is_ascii_alphanumeric()) {
        return Vec::new();
    }
    let mut spellings = vec![format!("{sign}{value}"), format!("{sign}{value}{suffix}")];
    spellings.dedup();
    spellings.retain(|spelling| spelling != text);
    spellings
}

fn based(text: &str) -> (u32, &str) {
    let prefixes = [("0x", 16), ("0X", 16), ("#x", 16), ("0o", 8), ("0O", 8), ("0b", 2), ("0B", 2), ("#b", 2)];
    let prefixed = prefixes.iter().find_map(|&(prefix, base)| Some((base, text.strip_prefix(prefix)?)));
    prefixed.unwrap_or((10, text))
}

fn is_separator(c: char) -> bool {
    matches!(c, '_' | '\'')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_have_plainer_spellings() {
        for (text, spellings) in [
            ("0xff00ull", &["65280", "65280ull"][..]),
            ("1_000", &["1000"]),
            ("-0b11", &["-3"]),
            ("5u8", &["5"]),
            ("7", &[]),
            ("1.5", &[]),
            ("0x", &[]),
            ("name", &[]),
        ] {
            assert_eq!(plainer(text), spellings, "{text}");
        }
    }
}
