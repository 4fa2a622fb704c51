//! The properties of the lists that Picire's runs were recorded on.

use serde::Deserialize;
use whittle_lists::Subset;

use crate::counted::contains_all;

#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum Property {
    All { required: Vec<usize> },
    Any { sets: Vec<Vec<usize>> },
    Deps { required: Vec<usize>, needs: Vec<[usize; 2]> },
    Even { required: Vec<usize> },
}

impl Property {
    pub(crate) fn holds(&self, list: &Subset) -> bool {
        match self {
            Self::All { required } => contains_all(required)(list),
            Self::Any { sets } => sets.iter().any(|set| contains_all(set)(list)),
            Self::Deps { required, needs } => {
                contains_all(required)(list) && needs.iter().all(|&[a, b]| !list.contains(a) || list.contains(b))
            }
            Self::Even { required } => contains_all(required)(list) && list.len().is_multiple_of(2),
        }
    }
}
