//! [`Reach`]: which declarations others need, by the names that they declare and mention.
//!
//! Units are declarations at any depth: a class is a unit, and so is each of its members. A unit that is kept makes all
//! names live that it mentions. A unit is kept if a name that it declares is live. That alone would keep nearly all of a
//! C++ library, because names such as `size` and `swap` are declared in hundreds of places. So what else must hold
//! depends on the [`Ring`]: that the unit around a member is kept, and for one of many functions of a name, that the
//! rarest name of its signature is live. A `swap` of two maps is no use where nobody mentions a map. Units without a
//! name, such as operators, depend on the same, but for the name.
//!
//! Promise: what is kept grows with the units to start from, and with the ring. What is around a kept unit is kept.
//! Cost of a closure: linear in units and mentions.

use whittle_lists::Subset;

/// How far names reach, from narrow to wide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ring {
    /// Nowhere: units are kept with what is around them.
    Own,
    /// To members of what is kept, and of many functions of a name to those whose signature is live.
    Near,
    /// To members of what is kept.
    Members,
    /// To all units that declare a name.
    All,
}

/// If more functions have one name, it does not reach each of them. Names that are overloaded for different types often
/// have more in the C++ library. Not measured.
const MAX_OVERLOADS: u32 = 3;

/// What is known of a unit; names are numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unit {
    /// The unit around it, which comes before it.
    pub(crate) wrapper: Option<u32>,
    /// The names that it declares; none if it has no name, such as an operator or an assertion.
    pub(crate) declares: Vec<u32>,
    /// The names of its signature: what it declares, and the types of its parameters.
    pub(crate) signature: Vec<u32>,
    /// All names in it in order, but for those of units within it.
    pub(crate) mentions: Vec<u32>,
    /// The names that mean something of its own, such as parameters.
    pub(crate) locals: Vec<u32>,
    /// Whether it has parameters, so that there may be others of its name.
    pub(crate) is_function: bool,
}

/// Units in few arrays: a text of 4 MB can have 100,000 units, and most have a handful of names.
#[derive(Debug, Default)]
pub(crate) struct Units {
    wrappers: Vec<Option<u32>>,
    are_functions: Vec<bool>,
    declares: Table,
    signatures: Table,
    mentions: Table,
    locals: Table,
}

impl Units {
    fn len(&self) -> usize {
        self.wrappers.len()
    }

    fn numbers(&self) -> impl Iterator<Item = u32> + Clone + use<> {
        0..self.len() as u32
    }

    fn wrapper(&self, unit: u32) -> Option<u32> {
        self.wrappers[unit as usize]
    }
}

impl Extend<Unit> for Units {
    fn extend<I: IntoIterator<Item = Unit>>(&mut self, units: I) {
        for Unit { wrapper, declares, signature, mentions, locals, is_function } in units {
            self.wrappers.push(wrapper);
            self.are_functions.push(is_function);
            self.declares.push(&declares);
            self.signatures.push(&signature);
            self.mentions.push(&mentions);
            self.locals.push(&locals);
        }
    }
}

/// Units, and which of them need which others.
#[derive(Debug)]
pub(crate) struct Reach {
    /// Without their signatures.
    units: Units,
    /// The name in each signature that the fewest units mention, other than what it declares.
    rarest: Vec<Option<u32>>,
    /// How many units declare each name, not counting those in a unit of that name, such as constructors.
    declared: Vec<u32>,
    /// The units that declare each name.
    declarers: Table,
    /// The units of which each name is the rarest.
    rarest_of: Table,
    /// The units directly within each unit.
    within: Table,
}

impl Reach {
    /// Finds who needs whom.
    pub(crate) fn new(mut units: Units, names: usize) -> Self {
        let declares = |unit: u32| units.declares.row(unit).iter().copied();
        let declarers =
            Table::new(names, units.numbers().flat_map(|unit| declares(unit).map(move |name| (name, unit))));
        let is_outer = |unit: u32, name: u32| {
            units.wrapper(unit).is_none_or(|wrapper| !units.declares.row(wrapper).contains(&name))
        };
        let count = |name: u32| declarers.row(name).iter().filter(|&&unit| is_outer(unit, name)).count() as u32;
        let declared: Vec<u32> = (0..names as u32).map(count).collect();
        let mut mentioned = vec![0u32; names];
        units.mentions.values.iter().for_each(|&name| mentioned[name as usize] += 1);
        let rarest = |unit: u32| {
            let is_other =
                |name: &u32| !units.declares.row(unit).contains(name) && !units.locals.row(unit).contains(name);
            let others = units.signatures.row(unit).iter().copied().filter(is_other);
            others.filter(|&name| declared[name as usize] > 0).min_by_key(|&name| (mentioned[name as usize], name))
        };
        let rarest: Vec<Option<u32>> = units.numbers().map(rarest).collect();
        let rarest_of = Table::new(names, units.numbers().filter_map(|unit| Some((rarest[unit as usize]?, unit))));
        let within = Table::new(units.len(), units.numbers().filter_map(|unit| Some((units.wrapper(unit)?, unit))));
        units.signatures = Table::default();
        Self { rarest, declared, declarers, rarest_of, within, units }
    }

    /// The units that declare a name.
    pub(crate) fn declarers(&self, name: u32) -> &[u32] {
        self.declarers.row(name)
    }

    /// These units with all that they need.
    pub(crate) fn closure(&self, from: impl IntoIterator<Item = u32>, ring: Ring) -> Subset {
        let mut closure = Closure {
            reach: self,
            ring,
            met: vec![0; self.units.len()],
            live: vec![false; self.declared.len()],
            kept: vec![false; self.units.len()],
            open: Vec::new(),
        };
        from.into_iter().for_each(|unit| closure.keep(unit));
        closure.run();
        let kept = closure.kept;
        Subset::from_elements((0..kept.len()).filter(|&unit| kept[unit]))
    }

    /// The units that mention a name.
    pub(crate) fn mentioning(&self, name: u32) -> impl Iterator<Item = u32> + '_ {
        self.units.numbers().filter(move |&unit| self.units.mentions.row(unit).binary_search(&name).is_ok())
    }

    /// What must hold before a unit is kept that nobody chose; `None`: it is not.
    fn conditions(&self, unit: u32, ring: Ring) -> Option<u8> {
        let (wrapper, declares) = (self.units.wrapper(unit), self.units.declares.row(unit));
        let is_named = |wrapper: &u32| !self.units.declares.row(*wrapper).is_empty();
        let rarest = if self.rarest[unit as usize].is_some() { RAREST } else { 0 };
        let Some(count) = declares.iter().map(|&name| self.declared[name as usize]).min() else {
            let around = if wrapper.is_some() { WRAPPER } else { 0 };
            let needed = if ring == Ring::All && around > 0 { around } else { around | rarest };
            return Some(needed).filter(|&needed| needed > 0 && ring > Ring::Own);
        };
        let is_overload = self.units.are_functions[unit as usize] && count > MAX_OVERLOADS;
        let around = if wrapper.filter(is_named).is_some() { WRAPPER } else { 0 };
        match ring {
            Ring::Own => None,
            Ring::Near if is_overload => Some(NAME | around | rarest),
            Ring::Near | Ring::Members => Some(NAME | around),
            Ring::All => Some(NAME),
        }
    }
}

/// A name that the unit declares is live.
const NAME: u8 = 1;
/// The unit around it is kept.
const WRAPPER: u8 = 2;
/// The rarest name of its signature is live.
const RAREST: u8 = 4;

/// A closure that is being made.
struct Closure<'a> {
    reach: &'a Reach,
    ring: Ring,
    /// Which conditions each unit meets.
    met: Vec<u8>,
    live: Vec<bool>,
    kept: Vec<bool>,
    /// Kept units that have not been looked at.
    open: Vec<u32>,
}

impl Closure<'_> {
    fn keep(&mut self, unit: u32) {
        if !std::mem::replace(&mut self.kept[unit as usize], true) {
            self.open.push(unit);
        }
    }

    fn meet(&mut self, unit: u32, condition: u8) {
        let met = &mut self.met[unit as usize];
        *met |= condition;
        let met = *met;
        if self.reach.conditions(unit, self.ring).is_some_and(|needed| met & needed == needed) {
            self.keep(unit);
        }
    }

    fn run(&mut self) {
        let reach = self.reach;
        while let Some(unit) = self.open.pop() {
            reach.units.wrapper(unit).into_iter().for_each(|wrapper| self.keep(wrapper));
            reach.within.row(unit).iter().for_each(|&inner| self.meet(inner, WRAPPER));
            let locals = reach.units.locals.row(unit);
            for &name in reach.units.mentions.row(unit).iter().filter(|name| !locals.contains(name)) {
                if !std::mem::replace(&mut self.live[name as usize], true) {
                    reach.declarers.row(name).iter().for_each(|&declarer| self.meet(declarer, NAME));
                    reach.rarest_of.row(name).iter().for_each(|&waiting| self.meet(waiting, RAREST));
                }
            }
        }
    }
}

/// Numbers by numbers, in two arrays.
#[derive(Debug)]
struct Table {
    /// Where each row starts, and where the last one ends.
    starts: Vec<u32>,
    values: Vec<u32>,
}

impl Default for Table {
    fn default() -> Self {
        Self { starts: vec![0], values: Vec::new() }
    }
}

impl Table {
    fn new(rows: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut starts = vec![0; rows + 1];
        pairs.clone().for_each(|(row, _)| starts[row as usize + 1] += 1);
        (0..rows).for_each(|row| starts[row + 1] += starts[row]);
        let mut next = starts.clone();
        let mut values = vec![0; starts[rows] as usize];
        for (row, value) in pairs {
            values[next[row as usize] as usize] = value;
            next[row as usize] += 1;
        }
        Self { starts, values }
    }

    /// Adds a row.
    fn push(&mut self, row: &[u32]) {
        self.values.extend_from_slice(row);
        self.starts.push(self.values.len() as u32);
    }

    fn row(&self, row: u32) -> &[u32] {
        &self.values[self.starts[row as usize] as usize..self.starts[row as usize + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RINGS: [Ring; 4] = [Ring::Own, Ring::Near, Ring::Members, Ring::All];

    /// Units of which all names are numbers below six.
    fn random_units(random: &mut fastrand::Rng) -> Vec<Unit> {
        let some = |random: &mut fastrand::Rng| (0..6).filter(|_| random.u8(..4) == 0).collect::<Vec<u32>>();
        let unit = |number: u32, random: &mut fastrand::Rng| {
            let declares = some(random);
            let mut signature = [declares.clone(), some(random)].concat();
            signature.sort_unstable();
            signature.dedup();
            let mut mentions = [signature.clone(), some(random)].concat();
            mentions.sort_unstable();
            mentions.dedup();
            let wrapper = (number > 0 && random.bool()).then(|| random.u32(..number));
            let locals = some(random).into_iter().filter(|name| !declares.contains(name)).collect();
            Unit { wrapper, declares, signature, mentions, locals, is_function: random.bool() }
        };
        (0..random.u32(1..12)).map(|number| unit(number, random)).collect()
    }

    /// The same by the rules as they are written, again and again until nothing changes.
    fn slow_closure(units: &[Unit], from: &[u32], ring: Ring) -> Vec<usize> {
        let declared = |name: u32| {
            let is_inner = |unit: &Unit| unit.wrapper.is_some_and(|w| units[w as usize].declares.contains(&name));
            units.iter().filter(|unit| unit.declares.contains(&name) && !is_inner(unit)).count()
        };
        let mentioned = |name: u32| units.iter().filter(|unit| unit.mentions.contains(&name)).count();
        let mut kept: Vec<bool> = (0..units.len() as u32).map(|unit| from.contains(&unit)).collect();
        loop {
            let before = kept.clone();
            let live = |name: &u32| {
                units
                    .iter()
                    .zip(&before)
                    .any(|(unit, &kept)| kept && unit.mentions.contains(name) && !unit.locals.contains(name))
            };
            for (number, unit) in units.iter().enumerate() {
                if let (true, Some(wrapper)) = (kept[number], unit.wrapper) {
                    kept[wrapper as usize] = true;
                }
                let is_own = |name: &u32| unit.declares.contains(name) || unit.locals.contains(name);
                let others = unit.signature.iter().filter(|name| !is_own(name) && declared(**name) > 0);
                let rarest = others.min_by_key(|&&name| (mentioned(name), name));
                let is_rarest_live = rarest.is_none_or(live);
                let has_wrapper = unit.wrapper.is_none_or(|wrapper| before[wrapper as usize]);
                let is_member = unit.wrapper.is_some_and(|wrapper| !units[wrapper as usize].declares.is_empty());
                let is_common = unit.declares.iter().all(|&name| declared(name) > MAX_OVERLOADS as usize);
                let is_live = unit.declares.iter().any(live);
                kept[number] |= match (ring, unit.declares.is_empty()) {
                    (Ring::Own, _) => false,
                    (Ring::All, true) if unit.wrapper.is_some() => has_wrapper,
                    (_, true) => has_wrapper && is_rarest_live && (rarest.is_some() || unit.wrapper.is_some()),
                    (Ring::All, _) => is_live,
                    (_, _) if is_member && !has_wrapper => false,
                    (Ring::Near, _) if unit.is_function && is_common => is_live && is_rarest_live,
                    _ => is_live,
                };
            }
            if kept == before {
                return (0..units.len()).filter(|&unit| kept[unit]).collect();
            }
        }
    }

    #[test]
    fn a_closure_is_what_the_rules_lead_to() {
        let mut random = fastrand::Rng::with_seed(20);
        for round in 0..2000 {
            let units = random_units(&mut random);
            let from: Vec<u32> = (0..units.len() as u32).filter(|_| random.u8(..3) == 0).collect();
            let mut all = Units::default();
            all.extend(units.iter().cloned());
            let reach = Reach::new(all, 6);
            let closures = RINGS.map(|ring| reach.closure(from.iter().copied(), ring));
            for (ring, closure) in RINGS.into_iter().zip(&closures) {
                let slow = slow_closure(&units, &from, ring);
                assert_eq!(closure.elements().collect::<Vec<_>>(), slow, "{round} {ring:?} {from:?} {units:#?}");
            }
            assert!(
                closures.windows(2).all(|pair| pair[0].difference(&pair[1]).next().is_none()),
                "wider rings keep more"
            );
        }
    }
}
