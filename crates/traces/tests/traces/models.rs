//! GReduce (Ren et al.) once more, as its paper prints it: all six settings on a generator of graphs, with plain lists of
//! vertices and edges in place of traces. It must make the same tests in the same order on random graphs.

#[path = "../../../lists/tests/lists/plain.rs"]
mod plain;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use whittle_lists::DdminOptions;
use whittle_search::{Recorder, Setup};
use whittle_traces::{Alignment, GReduce, Order, Session};

use crate::graphs::{ROOT, graph};
use crate::harness::{record_seed, replaying};

/// A chosen vertex: its name, and its place among those that there were.
#[derive(Clone, Copy)]
struct End {
    name: u64,
    place: usize,
}

/// What the generator did: vertices, each with edges to vertices that there are so far; then edges between any two.
#[derive(Clone, Default)]
struct Graph {
    vertices: Vec<(u64, Vec<End>)>,
    others: Vec<[End; 2]>,
}

/// A subpart of a reducible loop.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Vertex(usize),
    Edge(usize, usize),
    Other(usize),
}

impl Part {
    fn level(self) -> usize {
        usize::from(matches!(self, Self::Edge(..)))
    }
}

impl Graph {
    /// Reads the text that the generator made. `None` if two vertices have one name.
    fn read(text: &str, others: usize) -> Option<Self> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (mut graph, mut names) = (Self::default(), vec![ROOT]);
        let end = |names: &[u64], name: &str| {
            let name = name.parse().unwrap();
            End { name, place: names.iter().position(|other| *other == name).unwrap() }
        };
        for (place, word) in words.iter().enumerate() {
            match word.split_once('-') {
                None => {
                    names.push(word.parse().unwrap());
                    graph.vertices.push((word.parse().unwrap(), Vec::new()));
                }
                Some((_, to)) if place < words.len() - others => {
                    graph.vertices.last_mut().unwrap().1.push(end(&names, to));
                }
                Some((a, b)) => graph.others.push([end(&names, a), end(&names, b)]),
            }
        }
        let distinct: HashSet<&u64> = names.iter().collect();
        (distinct.len() == names.len()).then_some(graph)
    }

    fn text(&self) -> String {
        let mut words = Vec::new();
        for (name, edges) in &self.vertices {
            words.push(name.to_string());
            words.extend(edges.iter().map(|to| format!("{name}-{}", to.name)));
        }
        words.extend(self.others.iter().map(|[a, b]| format!("{}-{}", a.name, b.name)));
        words.join(" ")
    }

    /// All parts, in the order of the trace.
    fn parts(&self) -> Vec<Part> {
        let mut parts = Vec::new();
        for (vertex, (_, edges)) in self.vertices.iter().enumerate() {
            parts.push(Part::Vertex(vertex));
            parts.extend((0..edges.len()).map(|edge| Part::Edge(vertex, edge)));
        }
        parts.extend((0..self.others.len()).map(Part::Other));
        parts
    }

    /// How many steps the trace has, except for a constant: those of each vertex, edge and other edge.
    fn steps(&self) -> usize {
        let edges: usize = self.vertices.iter().map(|(_, edges)| edges.len()).sum();
        4 * self.vertices.len() + 2 * edges + 3 * self.others.len()
    }

    /// Re-executes what is not removed (section 4.4.2). A choice matches if the vertex is still there; otherwise the run
    /// halts, or bypasses the edge, or takes the vertex in the place, or the last one.
    fn replayed(&self, removed: &[Part], alignment: Alignment) -> Option<Self> {
        let (mut graph, mut names) = (Self::default(), vec![ROOT]);
        let chosen = |names: &[u64], end: End| {
            if names.get(end.place) == Some(&end.name) {
                return Some(end);
            }
            let found = names.iter().position(|name| *name == end.name);
            let place = match alignment {
                Alignment::Realign => found.unwrap_or_else(|| end.place.min(names.len() - 1)),
                Alignment::Halt | Alignment::Bypass => found?,
            };
            Some(End { name: names[place], place })
        };
        let may_be_missing = alignment == Alignment::Bypass;
        for (vertex, (name, edges)) in self.vertices.iter().enumerate() {
            if removed.contains(&Part::Vertex(vertex)) {
                continue;
            }
            names.push(*name);
            let mut left = Vec::new();
            for (edge, end) in edges.iter().enumerate() {
                if !removed.contains(&Part::Edge(vertex, edge)) {
                    match chosen(&names, *end) {
                        None if !may_be_missing => return None,
                        end => left.extend(end),
                    }
                }
            }
            graph.vertices.push((*name, left));
        }
        for (other, ends) in self.others.iter().enumerate() {
            if !removed.contains(&Part::Other(other)) {
                match (chosen(&names, ends[0]), chosen(&names, ends[1])) {
                    (Some(a), Some(b)) => graph.others.push([a, b]),
                    _ if may_be_missing => {}
                    _ => return None,
                }
            }
        }
        Some(graph)
    }
}

struct Model<'a> {
    graph: Graph,
    alignment: Alignment,
    is_interesting: &'a dyn Fn(&str) -> bool,
    known: HashMap<String, bool>,
    tested: Vec<String>,
}

impl Model<'_> {
    /// Algorithm 2: delta debugging over some parts of the trace; every interesting input is accepted.
    fn minimize(&mut self, parts: &[Part]) {
        let start = self.graph.clone();
        if parts.is_empty() || self.keeps(&start, parts, &[]) {
            return;
        }
        plain::ddmin(parts.len(), 2, DdminOptions::default(), &mut |kept| self.keeps(&start, parts, kept));
    }

    fn keeps(&mut self, start: &Graph, parts: &[Part], kept: &[usize]) -> bool {
        let removed: Vec<Part> = (0..parts.len()).filter(|part| !kept.contains(part)).map(|part| parts[part]).collect();
        let Some(graph) = start.replayed(&removed, self.alignment) else { return false };
        let text = graph.text();
        let verdict = match self.known.get(&text) {
            Some(&known) => known,
            None => {
                let verdict = (self.is_interesting)(&text);
                self.tested.push(text.clone());
                self.known.insert(text, verdict);
                verdict
            }
        };
        if verdict {
            self.graph = graph;
        }
        verdict
    }

    /// All parts as one list, or the parts of each level, again and again while the trace gets shorter.
    fn run(&mut self, order: Order) {
        if order == Order::Sequence {
            return self.minimize(&self.graph.parts());
        }
        loop {
            let before = self.graph.steps();
            for level in 0.. {
                let parts: Vec<Part> = self.graph.parts().into_iter().filter(|part| part.level() == level).collect();
                if parts.is_empty() {
                    break;
                }
                self.minimize(&parts);
            }
            if self.graph.steps() >= before {
                return;
            }
        }
    }
}

/// A random property that the input has: some of its words; or that, and more vertices than edges if it has.
fn property(random: &mut fastrand::Rng, input: &str) -> impl Fn(&str) -> bool + Clone + Send + Sync + 'static {
    let words: Vec<String> = input.split_whitespace().map(str::to_owned).collect();
    let wanted: Vec<String> = (0..random.usize(1..4)).map(|_| words[random.usize(0..words.len())].clone()).collect();
    let balance = |text: &str| {
        let edges = text.split_whitespace().filter(|word| word.contains('-')).count();
        2 * edges > text.split_whitespace().count()
    };
    let (is_picky, had) = (random.bool(), balance(input));
    move |text| {
        let words: Vec<&str> = text.split_whitespace().collect();
        wanted.iter().all(|word| words.contains(&&**word)) && (!is_picky || balance(text) == had)
    }
}

#[test]
fn all_six_settings_make_the_tests_of_the_paper() {
    let mut tests = 0;
    for seed in 0..60 {
        let mut random = fastrand::Rng::with_seed(seed);
        let made = record_seed(graph, seed);
        let input = String::from_utf8(made.input.clone()).unwrap();
        let others = made.trace.nodes().filter(|(_, node)| &*node.site == "a").count();
        let Some(start) = Graph::read(&input, others).filter(|_| !input.is_empty()) else { continue };
        let is_interesting = property(&mut random, &input);
        for setting in GReduce::all() {
            let mut session = Session::new(replaying(graph), "input", &made);
            let recorder = Arc::new(Recorder::new(is_interesting.clone()));
            let mut search = Setup::default().start(recorder.clone(), session.input().clone()).unwrap();
            setting.reduce(&mut session, &mut search).unwrap();

            let mut model = Model {
                graph: start.clone(),
                alignment: setting.alignment,
                is_interesting: &is_interesting,
                known: HashMap::from([(input.clone(), true)]),
                tested: vec![input.clone()],
            };
            model.run(setting.order);
            tests += model.tested.len();
            assert_eq!(recorder.asked(), model.tested, "seed {seed}, {setting:?}: {input}");
        }
    }
    assert!(tests > 6 * 60 * 5, "the graphs are too simple: {tests} tests");
}
