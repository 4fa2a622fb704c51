//! `--options`: the variants of the chosen algorithm that its papers describe and compare.
//!
//! One option with keys, and not a flag for each: they matter to those who repeat experiments. `docs/papers.md` has a
//! table for each paper.

use std::str::FromStr;

use whittle::grammars::Alphabet;
use whittle::lists::{AfterSuccess, Algorithm, Complements, Order, Split};
use whittle::strategy::{Strategy, Turns};

use super::choice::AlgorithmChoice;
use super::exit::Refusal;

/// What `--options` lists: settings in the order given; the last one counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Options(Vec<Setting>);

/// One `key=value`.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Setting {
    Subsets(Option<Order>),
    Complements(Order),
    AfterSuccess(AfterSuccess),
    Split(Split),
    StartProbability(f64),
    Threshold(f64),
    Sweep(Sweep),
    Repeat(Repeat),
    Characters(Characters),
    Layout(Layout),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Sweep {
    On,
    Off,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Repeat {
    Once,
    Fixpoint,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Characters {
    Readable,
    Ascii,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Layout {
    On,
    Off,
}

/// A part of `--options` that has no meaning.
#[derive(Debug, thiserror::Error)]
pub(crate) enum UnknownOption {
    #[error("'{0}' is not of the form KEY=VALUE")]
    NoPair(String),
    #[error(
        "unknown option '{0}'; known are subsets, complements, after-success, split, p0, threshold, sweep, repeat, \
         characters and layout"
    )]
    Key(String),
    #[error("'{value}' is not a value of {key}; {known}")]
    Value { key: &'static str, value: String, known: &'static str },
}

impl FromStr for Options {
    type Err = UnknownOption;

    fn from_str(text: &str) -> Result<Self, UnknownOption> {
        text.split(',').map(str::parse).collect::<Result<_, _>>().map(Self)
    }
}

impl FromStr for Setting {
    type Err = UnknownOption;

    fn from_str(text: &str) -> Result<Self, UnknownOption> {
        let (key, value) = text.split_once('=').ok_or_else(|| UnknownOption::NoPair(text.to_owned()))?;
        let order = || match value {
            "forward" => Some(Order::Forward),
            "backward" => Some(Order::Backward),
            _ => None,
        };
        let probability = || value.parse().ok().filter(|&p| 0.0 < p && p < 1.0);
        let (key, setting, known) = match key {
            "subsets" => {
                let orders = if value == "off" { Some(None) } else { order().map(Some) };
                ("subsets", orders.map(Self::Subsets), "choose off, forward or backward")
            }
            "complements" => ("complements", order().map(Self::Complements), "choose forward or backward"),
            "after-success" => {
                let choices = [("continue", AfterSuccess::Continue), ("restart", AfterSuccess::Restart)];
                ("after-success", named(value, choices).map(Self::AfterSuccess), "choose continue or restart")
            }
            "split" => {
                let choices = [("zeller", Split::Zeller), ("balanced", Split::Balanced)];
                ("split", named(value, choices).map(Self::Split), "choose zeller or balanced")
            }
            "p0" => ("p0", probability().map(Self::StartProbability), "it is above 0 and below 1"),
            "threshold" => ("threshold", probability().map(Self::Threshold), "it is above 0 and below 1"),
            "sweep" => {
                ("sweep", named(value, [("on", Sweep::On), ("off", Sweep::Off)]).map(Self::Sweep), "choose on or off")
            }
            "repeat" => {
                let choices = [("once", Repeat::Once), ("fixpoint", Repeat::Fixpoint)];
                ("repeat", named(value, choices).map(Self::Repeat), "choose once or fixpoint")
            }
            "characters" => {
                let choices = [("readable", Characters::Readable), ("ascii", Characters::Ascii)];
                ("characters", named(value, choices).map(Self::Characters), "choose readable or ascii")
            }
            "layout" => {
                let choices = [("on", Layout::On), ("off", Layout::Off)];
                ("layout", named(value, choices).map(Self::Layout), "choose on or off")
            }
            _ => return Err(UnknownOption::Key(key.to_owned())),
        };
        setting.ok_or_else(|| UnknownOption::Value { key, value: value.to_owned(), known })
    }
}

fn named<T, const N: usize>(value: &str, choices: [(&str, T); N]) -> Option<T> {
    choices.into_iter().find_map(|(name, choice)| (name == value).then_some(choice))
}

impl Options {
    /// The algorithm with these options. Refuses those that it does not have.
    pub(crate) fn apply(&self, mut choice: AlgorithmChoice) -> Result<AlgorithmChoice, Refusal> {
        for setting in &self.0 {
            match (&mut choice, setting) {
                (AlgorithmChoice::Lists(_), Setting::Repeat(_)) | (_, Setting::Characters(_) | Setting::Layout(_)) => {}
                (AlgorithmChoice::Tree(tree), Setting::Repeat(repeat)) => {
                    tree.tree.repeated = *repeat == Repeat::Fixpoint;
                }
                (AlgorithmChoice::Lists(lists), setting) => setting.apply(lists)?,
                (AlgorithmChoice::Tree(tree), setting) => setting.apply(&mut tree.tree.lists)?,
            }
        }
        Ok(choice)
    }

    /// With `repeat=once`, the steps run once each. With `layout=off`, whitespace is left as it is.
    pub(crate) fn apply_to_strategy(&self, mut strategy: Strategy) -> Strategy {
        if self.0.iter().rev().find_map(Setting::repeat) == Some(Repeat::Once) {
            strategy.turns = Turns::Once;
        }
        if self.0.iter().rev().find_map(Setting::layout) == Some(Layout::Off) {
            strategy = strategy.without_layout();
        }
        strategy
    }

    /// The order of characters, if one is set.
    pub(crate) fn alphabet(&self) -> Option<Alphabet> {
        self.0.iter().rev().find_map(|setting| match setting {
            Setting::Characters(Characters::Ascii) => Some(Alphabet::ascii()),
            Setting::Characters(Characters::Readable) => Some(Alphabet::default()),
            _ => None,
        })
    }
}

impl Setting {
    fn layout(&self) -> Option<Layout> {
        if let Self::Layout(layout) = *self { Some(layout) } else { None }
    }

    fn repeat(&self) -> Option<Repeat> {
        if let Self::Repeat(repeat) = *self { Some(repeat) } else { None }
    }

    fn apply(self, lists: &mut Algorithm) -> Result<(), Refusal> {
        let name = lists.name();
        let misfit = |key: &str, remedy: &str| {
            Err(Refusal::new(format!("--options {key} does not go with the list algorithm {name}"), remedy))
        };
        match self {
            Self::Subsets(order) => match lists {
                Algorithm::Ddmin(options) => options.subsets = order,
                Algorithm::Wddmin(options) => options.subsets = order,
                _ => return misfit("subsets", "Only ddmin and wddmin test subsets."),
            },
            Self::Complements(order) => match complements(lists) {
                Some(complements) => complements.order = order,
                None => return misfit("complements", "Without a sweep, it has no order of complements."),
            },
            Self::AfterSuccess(after_success) => match complements(lists) {
                Some(complements) => complements.after_success = after_success,
                None => return misfit("after-success", "Without a sweep, it has no order of complements."),
            },
            Self::Split(split) => match lists {
                Algorithm::Ddmin(options) => options.split = split,
                _ => return misfit("split", "Only ddmin cuts into parts of equal length."),
            },
            Self::StartProbability(start) => match lists {
                Algorithm::Probdd(options) | Algorithm::Wprobdd(options) => options.start = start,
                Algorithm::Cdd(options) => options.start = start,
                _ => return misfit("p0", "Only probdd, wprobdd and cdd have probabilities."),
            },
            Self::Threshold(threshold) => match lists {
                Algorithm::Probdd(options) | Algorithm::Wprobdd(options) => options.threshold = threshold,
                _ => return misfit("threshold", "Only probdd and wprobdd have a threshold."),
            },
            Self::Sweep(sweep) => match (sweep, sweep_of(lists)) {
                (Sweep::On, Some(own)) => *own = own.or(Some(Complements::default())),
                (Sweep::Off, Some(own)) => *own = None,
                (_, None) => return misfit("sweep", "Only probdd, wprobdd, cdd and bisect can do without one."),
            },
            Self::Repeat(_) | Self::Characters(_) | Self::Layout(_) => {}
        }
        Ok(())
    }
}

/// How an algorithm tries complements, those of its sweep included.
fn complements(lists: &mut Algorithm) -> Option<&mut Complements> {
    match lists {
        Algorithm::Ddmin(options) => Some(&mut options.complements),
        Algorithm::Wddmin(options) => Some(&mut options.complements),
        Algorithm::Onemin(complements) => Some(complements),
        swept => sweep_of(swept)?.as_mut(),
    }
}

fn sweep_of(lists: &mut Algorithm) -> Option<&mut Option<Complements>> {
    match lists {
        Algorithm::Probdd(options) | Algorithm::Wprobdd(options) => Some(&mut options.sweep),
        Algorithm::Cdd(options) => Some(&mut options.sweep),
        Algorithm::Bisect(options) => Some(&mut options.sweep),
        Algorithm::Ddmin(_) | Algorithm::Onemin(_) | Algorithm::Wddmin(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use whittle::lists::{DdminOptions, ProbabilityOptions, WddminOptions};

    /// The list algorithm with options, or why it cannot have them.
    fn lists(name: &str, options: &str) -> Result<Algorithm, String> {
        let choice = name.parse().map(|lists: Algorithm| AlgorithmChoice::Lists(lists.swept())).unwrap();
        let options: Options = options.parse().map_err(|error: UnknownOption| error.to_string())?;
        match options.apply(choice).map_err(|error| error.to_string())? {
            AlgorithmChoice::Lists(lists) => Ok(lists),
            AlgorithmChoice::Tree(tree) => panic!("{tree}"),
        }
    }

    #[test]
    fn every_variant_of_the_papers_can_be_named() {
        let complements = Complements { order: Order::Forward, after_success: AfterSuccess::Restart };
        let subsets = Some(Order::Forward);
        let named = "subsets=forward,complements=forward,after-success=restart";
        let ddmin = DdminOptions { subsets, complements, split: Split::Balanced, ..DdminOptions::default() };
        assert_eq!(lists("ddmin", &format!("{named},split=balanced")), Ok(Algorithm::Ddmin(ddmin)));
        assert_eq!(lists("wddmin", named), Ok(Algorithm::Wddmin(WddminOptions { subsets, complements })));
        assert_eq!(lists("onemin", "complements=forward,after-success=restart"), Ok(Algorithm::Onemin(complements)));
        let bare = ProbabilityOptions { start: 0.1, threshold: 0.9, sweep: None };
        assert_eq!(lists("wprobdd", "p0=0.1,threshold=0.9,sweep=off"), Ok(Algorithm::Wprobdd(bare)));
        let swept = ProbabilityOptions { sweep: Some(complements), ..ProbabilityOptions::default() };
        let named = "sweep=on,complements=forward,after-success=restart";
        assert_eq!(lists("probdd", named), Ok(Algorithm::Probdd(swept)));
    }

    #[test]
    fn options_without_meaning_are_refused() {
        for (name, options, error) in [
            ("ddmin", "subsets", "'subsets' is not of the form KEY=VALUE"),
            ("ddmin", "subset=off", "unknown option 'subset'; known are subsets"),
            ("ddmin", "subsets=on", "'on' is not a value of subsets; choose off, forward or backward"),
            ("probdd", "p0=1", "'1' is not a value of p0; it is above 0 and below 1"),
            ("probdd", "subsets=off", "--options subsets does not go with the list algorithm probdd"),
            ("ddmin", "sweep=off", "--options sweep does not go with the list algorithm ddmin"),
            ("wprobdd", "sweep=off,complements=forward", "--options complements does not go with"),
            ("wddmin", "split=zeller", "--options split does not go with"),
            ("onemin", "p0=0.5", "--options p0 does not go with"),
            ("cdd", "threshold=0.5", "--options threshold does not go with"),
        ] {
            let found = lists(name, options).unwrap_err();
            assert!(found.starts_with(error), "{name} {options}: {found}");
        }
    }

    #[test]
    fn a_fixpoint_can_become_one_pass_and_one_pass_a_fixpoint() {
        let strategy = |name: &str, options: &str| {
            let options: Options = options.parse().unwrap();
            let AlgorithmChoice::Tree(choice) = options.apply(name.parse().unwrap()).unwrap() else { panic!("{name}") };
            options.apply_to_strategy(choice.strategy())
        };
        assert!(strategy("hdd+ddmin", "repeat=fixpoint").is_fixpoint());
        assert!(!strategy("hdd*+ddmin", "repeat=once").is_fixpoint());
        assert!(!strategy("perses-classic+ddmin+trec", "repeat=once").is_fixpoint());
        assert!(strategy("perses-classic+ddmin+trec", "characters=ascii").is_fixpoint());
    }

    #[test]
    fn token_reducers_lay_out_their_result_unless_told_not_to() {
        let lays_out = |name: &str, options: &str| {
            let AlgorithmChoice::Tree(choice) = name.parse().unwrap() else { panic!("{name}") };
            options.parse::<Options>().unwrap().apply_to_strategy(choice.strategy()).lays_out()
        };
        for name in ["trec", "trec-shrink", "rename", "canon", "vulcan"] {
            assert!(lays_out(name, "layout=on") && !lays_out(name, "layout=off"), "{name}");
        }
        assert!(!lays_out("perses", "layout=on"), "a tree reducer as published leaves whitespace alone");
    }
}
