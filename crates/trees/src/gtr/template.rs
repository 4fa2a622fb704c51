//! [`Template`]: which candidates a node has (definition 4.1), behind one small trait; one file each.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::delete::Delete;
use super::labeled::Labeled;
use super::substitute_by_child::SubstituteByChild;
use super::substitute_by_grandchild::SubstituteByGrandchild;
use super::swap_siblings::SwapSiblings;
use crate::NodeId;

/// A candidate for what a node becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It is deleted.
    Delete,
    /// It is replaced by one of its descendants.
    Substitute(NodeId),
    /// Two of its children change places.
    Swap(NodeId, NodeId),
}

/// How the candidates of a template are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// There is at most one for a node: a list minimizer chooses among the nodes of a level.
    AtMostOne,
    /// There may be many, all of them smaller than the node: the backtracking search, algorithm 5.
    Many,
    /// None is smaller than the node. One helps only if other templates then find more.
    Restructuring,
}

/// A function from a node to candidates. It knows no language.
pub trait Template: Sync {
    /// The name by which users choose it.
    fn name(&self) -> &'static str;

    /// How its candidates are searched.
    fn manner(&self) -> Manner;

    /// The candidates for a node, in the order in which they are tried.
    fn candidates(&self, tree: &Labeled, node: NodeId) -> Vec<Change>;
}

/// Every template, in the order in which they are applied to a level.
pub static TEMPLATES: [&dyn Template; 4] = [&Delete, &SubstituteByChild, &SubstituteByGrandchild, &SwapSiblings];

/// Which templates are applied.
///
/// ```
/// use whittle_trees::gtr::Templates;
/// assert_eq!(Templates::default().to_string(), "delete,substitute-by-child");
/// assert_eq!("swap-siblings,delete".parse::<Templates>()?.to_string(), "delete,swap-siblings");
/// # Ok::<(), whittle_trees::gtr::UnknownTemplate>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Templates([bool; TEMPLATES.len()]);

/// A name that no template has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown template '{0}'; known are {names}", names = TEMPLATES.map(|template| template.name()).join(", "))]
pub struct UnknownTemplate(String);

impl Templates {
    /// The chosen ones, in the order in which they are applied.
    pub fn iter(&self) -> impl Iterator<Item = &'static dyn Template> + use<> {
        let chosen = self.0;
        TEMPLATES.into_iter().zip(chosen).filter_map(|(template, is_chosen)| is_chosen.then_some(template))
    }
}

impl Default for Templates {
    /// Those that the paper evaluates.
    fn default() -> Self {
        Self([true, true, false, false])
    }
}

impl fmt::Display for Templates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.iter().map(Template::name).collect::<Vec<_>>().join(","))
    }
}

impl FromStr for Templates {
    type Err = UnknownTemplate;

    fn from_str(names: &str) -> Result<Self, UnknownTemplate> {
        let mut chosen = [false; TEMPLATES.len()];
        for name in names.split(',') {
            let index = TEMPLATES.iter().position(|template| template.name() == name);
            chosen[index.ok_or_else(|| UnknownTemplate(name.to_owned()))?] = true;
        }
        Ok(Self(chosen))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_template_is_answered_by_the_known_ones() {
        let message = "delete,drop".parse::<Templates>().unwrap_err().to_string();
        assert!(message.starts_with("unknown template 'drop'; known are delete, substitute-by-child"), "{message}");
        assert!("".parse::<Templates>().is_err());
    }
}
