//! [`Reducer`]: every reducer that is asked to solve the problems, and what it promises.

use whittle::lists::{Algorithm, ProbabilityOptions, Unit};
use whittle::strategy::{Effort, Step, Strategy};
use whittle::tokens::{TokenAlgorithm, TokenReducer};
use whittle::trees::{SyntaxCheck, TreeAlgorithm, TreeReducer};

/// A reducer on top of a list minimizer.
pub(crate) struct Reducer {
    /// The reducer's name, `+`, and the list minimizer's; `auto-` and the effort for a default.
    pub(crate) name: String,
    pub(crate) strategy: Strategy,
    /// Whether proposals with more syntax errors are tested.
    pub(crate) check: SyntaxCheck,
    pub(crate) promise: Promise,
}

/// In which sense a result is minimal.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Promise {
    /// In none: there is only one pass.
    Nothing,
    /// No single node can be dropped.
    NoNode,
    /// No single node can be dropped or be replaced by one of its children.
    NoTransformation,
    /// No list element, no optional and no replacement is left that could go, syntax being checked or not.
    NoElement { checked: bool },
    /// No single line, word or character can go.
    NoUnit,
}

impl Reducer {
    /// Every reducer on top of every list minimizer. Token reducers have little use for those: the first and the usual
    /// one are enough for them.
    pub(crate) fn all(input: &[u8]) -> Vec<Self> {
        let minimizers = Algorithm::all().map(Algorithm::swept);
        let few = [Algorithm::default(), Algorithm::Wprobdd(ProbabilityOptions::default())].map(Algorithm::swept);
        let tokens =
            few.into_iter().flat_map(|lists| TokenReducer::ALL.map(|reducer| Self::with_tokens(reducer, lists)));
        let single = minimizers.into_iter().flat_map(|lists| Self::all_on(lists, input)).chain(tokens);
        single.chain(Self::defaults(input)).collect()
    }

    /// What runs where nothing else is asked for.
    fn defaults(input: &[u8]) -> Vec<Self> {
        let efforts = [("quick", Effort::Quick), ("normal", Effort::Normal), ("max", Effort::Max)];
        let by_syntax = efforts.map(|(name, effort)| Self {
            name: format!("auto-{name}"),
            strategy: Strategy::for_syntax(input, effort),
            check: SyntaxCheck::Always,
            promise: Promise::NoElement { checked: true },
        });
        let unknown = Self {
            name: "auto-unknown".to_owned(),
            strategy: Strategy::for_unknown(input),
            check: SyntaxCheck::Off,
            promise: Promise::NoUnit,
        };
        by_syntax.into_iter().chain([unknown]).collect()
    }

    fn all_on(lists: Algorithm, input: &[u8]) -> Vec<Self> {
        let trees = TreeReducer::ALL.into_iter().flat_map(|reducer| match reducer.is_guided() {
            true => vec![Self::guided(reducer, lists, true)],
            false => Vec::from([false, true].map(|repeated| Self::unguided(reducer, repeated, lists))),
        });
        trees.chain([Self::guided(TreeReducer::Perses, lists, false), Self::of_text(lists, input)]).collect()
    }

    fn guided(reducer: TreeReducer, lists: Algorithm, checked: bool) -> Self {
        let unchecked = if checked { "" } else { "-unchecked" };
        Self {
            name: format!("{}{unchecked}+{lists}", reducer.name()),
            strategy: Strategy::of_tree(TreeAlgorithm { reducer, repeated: true, lists }),
            check: if checked { SyntaxCheck::Always } else { SyntaxCheck::Off },
            promise: Promise::NoElement { checked },
        }
    }

    fn unguided(reducer: TreeReducer, repeated: bool, lists: Algorithm) -> Self {
        let algorithm = TreeAlgorithm { reducer, repeated, lists };
        Self {
            name: algorithm.to_string(),
            strategy: Strategy::of_tree(algorithm),
            check: SyntaxCheck::Off,
            promise: match reducer {
                _ if !repeated => Promise::Nothing,
                TreeReducer::Gtr => Promise::NoTransformation,
                _ => Promise::NoNode,
            },
        }
    }

    /// Perses and a token reducer in turn.
    fn with_tokens(tokens: TokenReducer, lists: Algorithm) -> Self {
        let tree = TreeAlgorithm { reducer: TreeReducer::Perses, repeated: true, lists };
        Self {
            name: format!("perses-{tokens}+{lists}"),
            strategy: Strategy::of_tree_and(tree, [Step::Tokens(TokenAlgorithm::new(tokens, lists))]),
            check: SyntaxCheck::Always,
            promise: Promise::NoElement { checked: true },
        }
    }

    fn of_text(lists: Algorithm, input: &[u8]) -> Self {
        Self {
            name: format!("text+{lists}"),
            strategy: Strategy::for_text(input, lists),
            check: SyntaxCheck::Off,
            promise: Promise::NoUnit,
        }
    }
}

/// The units by which texts are reduced.
pub(crate) fn units(input: &[u8]) -> Vec<Unit> {
    let units = Strategy::for_text(input, Algorithm::default()).steps.into_iter().filter_map(|step| match step {
        Step::Text(unit, _) => Some(unit),
        _ => None,
    });
    units.collect()
}
