//! `--only`: which reducers and subjects to run.

use anyhow::{Result, bail};

/// The names given with `--only`. An empty list excludes nothing.
pub(crate) struct Only<'a>(pub(crate) &'a [String]);

impl Only<'_> {
    /// Picks from reducers and subjects: names that match a reducer exclude all other reducers, and likewise for
    /// subjects. Returns whether each one is selected. A name that matches nothing is an error.
    pub(crate) fn pick(&self, reducers: &[String], subjects: &[String]) -> Result<(Vec<bool>, Vec<bool>)> {
        for pattern in self.0 {
            if !reducers.iter().chain(subjects).any(|name| matches(pattern, name)) {
                bail!(
                    "--only {pattern} matches nothing; reducers are {}; subjects are {}",
                    reducers.join(", "),
                    subjects.join(", ")
                );
            }
        }
        Ok((self.among(reducers), self.among(subjects)))
    }

    fn among(&self, names: &[String]) -> Vec<bool> {
        // A name may contain a star, such as hdd*+ddmin.
        let fits =
            |pattern: &String, name: &String| pattern == name || !names.contains(pattern) && matches(pattern, name);
        let is_named = |name: &String| self.0.iter().any(|pattern| fits(pattern, name));
        let is_any_named = names.iter().any(is_named);
        names.iter().map(|name| !is_any_named || is_named(name)).collect()
    }
}

/// Whether a name matches a pattern in which `*` matches anything. Each part matches as early as possible.
fn matches(pattern: &str, name: &str) -> bool {
    let Some((head, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut left) = name.strip_prefix(head) else { return false };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let tail = parts.pop().unwrap_or_default();
    for part in parts {
        match left.find(part) {
            Some(at) => left = &left[at + part.len()..],
            None => return false,
        }
    }
    left.ends_with(tail)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(names: &[&str]) -> Vec<String> {
        names.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_star_stands_for_anything() {
        for (pattern, name, expected) in [
            ("cvise", "cvise", true),
            ("cvise", "cvise2", false),
            ("whittle:*", "whittle:cdd", true),
            ("whittle:*", "whittle", false),
            ("*reduce*", "treereduce-c", true),
            ("a*a", "a", false),
            ("*-c", "treereduce-c", true),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} on {name}");
        }
    }

    #[test]
    fn reducers_and_subjects_are_picked_apart() {
        let (reducers, subjects) = (strings(&["whittle", "cvise"]), strings(&["c-one", "c-two"]));
        let pick = |only: &[&str]| Only(&strings(only)).pick(&reducers, &subjects);
        assert_eq!(pick(&[]).unwrap(), (vec![true, true], vec![true, true]));
        assert_eq!(pick(&["cvise"]).unwrap(), (vec![false, true], vec![true, true]));
        assert_eq!(pick(&["cvise", "*-two"]).unwrap(), (vec![false, true], vec![false, true]));
        let starred = strings(&["hdd*+cdd", "hddr+cdd"]);
        assert_eq!(Only(&strings(&["hdd*+cdd"])).pick(&starred, &[]).unwrap().0, [true, false]);
        assert_eq!(Only(&strings(&["hdd*"])).pick(&starred, &[]).unwrap().0, [true, true]);
        assert!(pick(&["creduce"]).unwrap_err().to_string().contains("whittle, cvise"));
    }
}
