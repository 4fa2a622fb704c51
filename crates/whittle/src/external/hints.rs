//! C-Vise's hints: byte patches that can be applied together.
//!
//! A bundle is lines of JSON: `{"format":"cvise_hints_v0"}`, an array of texts, and one hint a line. A hint is a list of
//! patches: `l` and `r` are the first byte and the one behind the last of what goes, `v` is the number of the text that takes
//! its place. Hints of one type `t` are tried together. Applying patches that overlap deletes what any of them deletes.

use std::collections::BTreeMap;

use serde::Deserialize;

/// What the first line of a bundle says, if it has one.
const FORMAT: &str = "cvise_hints_v0";

/// Hints about one text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Hints {
    texts: Vec<String>,
    /// By type.
    groups: BTreeMap<u64, Vec<Hint>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct Hint {
    #[serde(rename = "p", default)]
    patches: Vec<Patch>,
    #[serde(rename = "t")]
    group: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
struct Patch {
    #[serde(rename = "l", default)]
    left: usize,
    #[serde(rename = "r", default)]
    right: usize,
    #[serde(rename = "v")]
    value: Option<usize>,
    /// Patches of other files, and operations on whole files, are for C-Vise's own passes.
    #[serde(rename = "f")]
    file: Option<u64>,
    #[serde(rename = "o")]
    operation: Option<u64>,
}

/// The first line of a bundle.
#[derive(Deserialize)]
struct Preamble {
    format: String,
}

impl Hints {
    /// Reads a bundle about a text of `length` bytes. Hints that do not fit it are left out, and so are those for other passes.
    pub(super) fn parse(bundle: &[u8], length: usize) -> Result<Self, String> {
        let text = std::str::from_utf8(bundle).map_err(|_| "the hints are not UTF-8".to_owned())?;
        let mut lines = text.lines().filter(|line| !line.trim().is_empty()).peekable();
        if let Some(preamble) = lines.peek().and_then(|line| serde_json::from_str::<Preamble>(line).ok()) {
            if preamble.format != FORMAT {
                return Err(format!("the hints are in the format '{}', not {FORMAT}", preamble.format));
            }
            lines.next();
        }
        let texts: Option<Vec<String>> = lines.peek().and_then(|line| serde_json::from_str(line).ok());
        if texts.is_some() {
            lines.next();
        }
        let mut hints = Self { texts: texts.unwrap_or_default(), groups: BTreeMap::new() };
        for line in lines {
            let hint: Hint = serde_json::from_str(line).map_err(|error| format!("'{line}' is not a hint: {error}"))?;
            if hints.applies(&hint, length) {
                hints.groups.entry(hint.group.unwrap_or(u64::MAX)).or_default().push(hint);
            }
        }
        Ok(hints)
    }

    fn applies(&self, hint: &Hint, length: usize) -> bool {
        let is_special = |group: u64| self.text(group as usize).is_some_and(|name| name.starts_with('@'));
        let fits = |patch: &Patch| {
            let is_plain = patch.file.is_none() && patch.operation.is_none();
            let has_text = patch.value.is_none_or(|value| self.text(value).is_some());
            is_plain && has_text && patch.left <= patch.right && patch.right <= length
        };
        !hint.group.is_some_and(is_special) && !hint.patches.is_empty() && hint.patches.iter().all(fits)
    }

    fn text(&self, number: usize) -> Option<&str> {
        self.texts.get(number).map(String::as_str)
    }

    /// How many groups there are.
    pub(super) fn groups(&self) -> usize {
        self.groups.len()
    }

    /// The name of a group.
    pub(super) fn name(&self, group: usize) -> String {
        let number = self.groups.keys().nth(group).copied().unwrap_or(u64::MAX);
        self.text(number as usize).unwrap_or_default().to_owned()
    }

    /// How many bytes each hint of a group deletes, as far as the others do not.
    pub(super) fn weights(&self, group: usize) -> Vec<u32> {
        let bytes = |patch: &Patch| patch.right - patch.left;
        let weight = |hint: &Hint| hint.patches.iter().map(bytes).sum::<usize>().clamp(1, u32::MAX as usize) as u32;
        self.group(group).iter().map(weight).collect()
    }

    fn group(&self, group: usize) -> &[Hint] {
        self.groups.values().nth(group).map_or(&[], Vec::as_slice)
    }

    /// The text after the hints of a group with these numbers.
    pub(super) fn apply(&self, text: &[u8], group: usize, numbers: impl Iterator<Item = usize>) -> Vec<u8> {
        let hints = self.group(group);
        let mut patches: Vec<Patch> = numbers.flat_map(|number| hints[number].patches.iter().copied()).collect();
        patches.sort_by_key(|patch| patch.left);
        let mut result = Vec::with_capacity(text.len());
        let mut end = 0;
        for patch in patches {
            // What overlaps an earlier patch only deletes.
            let is_apart = patch.left >= end;
            result.extend_from_slice(text.get(end..patch.left).unwrap_or_default());
            if is_apart {
                result.extend_from_slice(patch.value.and_then(|value| self.text(value)).unwrap_or_default().as_bytes());
            }
            end = end.max(patch.right);
        }
        result.extend_from_slice(&text[end..]);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = b"abcdefghij";

    fn parse(bundle: &str) -> Hints {
        Hints::parse(bundle.as_bytes(), TEXT.len()).unwrap()
    }

    fn applied(bundle: &str, numbers: &[usize]) -> String {
        String::from_utf8(parse(bundle).apply(TEXT, 0, numbers.iter().copied())).unwrap()
    }

    /// The plain definition: mark what goes, one patch after the other in the order of their beginnings.
    fn plainly(patches: &[(usize, usize)]) -> String {
        let goes = |index: &usize| patches.iter().any(|(left, right)| (*left..*right).contains(index));
        (0..TEXT.len()).filter(|index| !goes(index)).map(|index| TEXT[index] as char).collect()
    }

    #[test]
    fn patches_delete_and_replace_together() {
        let bundle = "{\"format\":\"cvise_hints_v0\",\"pass\":\"x\"}\n[\"XY\"]\n\
                      {\"p\":[{\"l\":0,\"r\":2}]}\n{\"p\":[{\"l\":4,\"r\":6,\"v\":0},{\"l\":9,\"r\":10}]}\n";
        assert_eq!(applied(bundle, &[0]), "cdefghij");
        assert_eq!(applied(bundle, &[1]), "abcdXYghi");
        assert_eq!(applied(bundle, &[1, 0]), "cdXYghi");
        assert_eq!(applied(bundle, &[]), "abcdefghij");
        assert_eq!(parse(bundle).weights(0), [2, 3]);
    }

    #[test]
    fn overlapping_patches_delete_what_any_of_them_deletes() {
        for seed in 0..500 {
            let mut random = fastrand::Rng::with_seed(seed);
            let mut patch = || {
                let left = random.usize(..=10);
                (left, random.usize(left..=10))
            };
            let patches = [patch(), patch(), patch()];
            let line = |(left, right): &(usize, usize)| format!("{{\"p\":[{{\"l\":{left},\"r\":{right}}}]}}\n");
            let bundle: String = patches.iter().map(line).collect();
            assert_eq!(applied(&bundle, &[0, 1, 2]), plainly(&patches), "seed {seed}: {bundle}");
        }
    }

    #[test]
    fn hints_that_do_not_fit_or_are_for_others_are_left_out() {
        let bundle = "[\"@fileref\",\"b\"]\n{\"t\":0,\"p\":[{\"l\":0,\"r\":1}]}\n{\"p\":[{\"l\":9,\"r\":11}]}\n\
                      {\"p\":[{\"l\":0,\"r\":1,\"f\":1}]}\n{\"p\":[{\"l\":0,\"r\":1,\"v\":7}]}\n{\"p\":[]}\n\
                      {\"t\":1,\"p\":[{\"l\":1,\"r\":2}]}\n";
        let hints = parse(bundle);
        assert_eq!((hints.groups(), hints.weights(0)), (1, vec![1]));
        assert!(Hints::parse(b"{\"format\":\"cvise_hints_v9\"}\n[]\n", 1).is_err());
        assert!(Hints::parse(b"nonsense\n", 1).unwrap_err().contains("is not a hint"));
        assert_eq!(Hints::parse(b"", 1), Ok(Hints::default()));
    }
}
