//! A generator of graphs that chooses among existing vertices, against a plain model of GReduce's section 4.4: a choice
//! matches if its output is still possible, whatever its place among the alternatives.

use whittle_traces::{Alignment, Facts, GReduce, NoInput, Parts, Player, Runs};

use crate::harness::{Make, record_seed, reduce, replaying};

/// The vertex that every graph has.
pub(crate) const ROOT: u64 = 0;

/// Chooses one of the vertices.
type Choose = fn(&mut Player<'_>, &str, &[u64]) -> Result<usize, NoInput>;

/// Vertices with drawn names, each with edges to vertices that exist so far; then edges between any two. Prints
/// `NAME` for a vertex and `NAME-NAME` for an edge.
fn graph_with(player: &mut Player<'_>, choose: Choose) -> Result<String, NoInput> {
    let (mut vertices, mut lines) = (vec![ROOT], Vec::new());
    let count = player.draw("vertices", 15)?;
    player.times("for vertex", count, |player, _| {
        let name = 1 + player.draw("name", 999)?;
        vertices.push(name);
        lines.push(name.to_string());
        let degree = player.draw("degree", 2)?;
        player.times("for edge", degree, |player, _| {
            let to = choose(player, "to", &vertices)?;
            lines.push(format!("{name}-{}", vertices[to]));
            Ok(())
        })
    })?;
    let count = player.draw("edges", 15)?;
    player.times("for other edge", count, |player, _| {
        let (a, b) = (choose(player, "a", &vertices)?, choose(player, "b", &vertices)?);
        lines.push(format!("{}-{}", vertices[a], vertices[b]));
        Ok(())
    })?;
    Ok(lines.join(" "))
}

pub(crate) fn graph(player: &mut Player<'_>) -> Result<String, NoInput> {
    graph_with(player, |player, site, vertices| player.choose(site, vertices))
}

/// The same without outputs, so that choices are matched by their places.
fn graph_by_place(player: &mut Player<'_>) -> Result<String, NoInput> {
    graph_with(player, |player, site, vertices| Ok(player.draw(site, vertices.len() as u64 - 1)? as usize))
}

/// What the generator did, in the terms of the paper: subparts of reducible loops, in order.
enum Part {
    Vertex(u64),
    /// An edge in the round of the last vertex.
    Edge(u64, u64),
    OtherEdge(u64, u64),
}

/// Reads the parts from a text: other edges come after all vertices, so they are those after the last round.
fn parts_of(text: &str, others: usize) -> Vec<Part> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let first_other = words.len() - others;
    let part = |(place, word): (usize, &&str)| match word.split_once('-') {
        None => Part::Vertex(word.parse().unwrap()),
        Some((a, b)) if place < first_other => Part::Edge(a.parse().unwrap(), b.parse().unwrap()),
        Some((a, b)) => Part::OtherEdge(a.parse().unwrap(), b.parse().unwrap()),
    };
    words.iter().enumerate().map(part).collect()
}

/// Re-executes the parts that are not removed (section 4.4.2). An end that cannot be the recorded one halts the run,
/// or bypasses the edge, or is any vertex, which is `?` here.
fn model(parts: &[Part], removed: &[bool], alignment: Alignment) -> Option<Vec<String>> {
    let (mut vertices, mut lines, mut within_removed) = (vec![ROOT], Vec::new(), false);
    for (part, removed) in parts.iter().zip(removed) {
        let ends: &[u64] = match part {
            Part::Vertex(name) => {
                within_removed = *removed;
                if !removed {
                    vertices.push(*name);
                    lines.push(name.to_string());
                }
                continue;
            }
            Part::Edge(..) if within_removed => continue,
            Part::Edge(a, b) | Part::OtherEdge(a, b) => &[*a, *b],
        };
        let feasible = ends.iter().all(|end| vertices.contains(end));
        match alignment {
            _ if *removed => {}
            Alignment::Halt if !feasible => return None,
            Alignment::Bypass if !feasible => {}
            _ => {
                let shown = |end: &u64| if vertices.contains(end) { end.to_string() } else { "?".to_owned() };
                lines.push(ends.iter().map(shown).collect::<Vec<_>>().join("-"));
            }
        }
    }
    Some(lines)
}

/// Whether the words are those of the model, where `?` is any vertex of the text.
fn agrees(text: &str, expected: &[String]) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_vertex = |name: &str| name == ROOT.to_string() || words.contains(&name);
    let agree = |(word, expected): (&&str, &String)| {
        let pairs = word.split('-').zip(expected.split('-'));
        word.split('-').count() == expected.split('-').count()
            && pairs.into_iter().all(|(end, expected)| end == expected || (expected == "?" && is_vertex(end)))
    };
    words.len() == expected.len() && words.iter().zip(expected).all(agree)
}

#[test]
fn replays_of_graphs_agree_with_the_model() {
    let (mut halted, mut replaced) = (0, 0);
    for seed in 0..60 {
        let mut random = fastrand::Rng::with_seed(seed);
        let made = record_seed(graph, seed);
        let runs = Runs::new(replaying(graph), &made.trace);
        let mut facts = Facts::default();
        facts.learn(&made.trace, &runs);
        let parts = Parts::of(&made.trace, &facts);
        let text = String::from_utf8(made.input.clone()).unwrap();
        let others = made.trace.nodes().filter(|(_, node)| &*node.site == "a").count();
        let ours = parts_of(&text, others);
        assert_eq!(parts.list().len(), ours.len(), "seed {seed}");
        for odds in [2, 4, 8, 16] {
            let removed: Vec<bool> = ours.iter().map(|_| random.u8(0..odds) == 0).collect();
            let places = (0..removed.len()).filter(|place| removed[*place]);
            let without = parts.without(&made.trace, places);
            for alignment in [Alignment::Halt, Alignment::Bypass, Alignment::Realign] {
                let outcome = runs.aligned(without.clone(), alignment, &facts);
                let outcome = outcome.as_ref().as_ref().map(|made| std::str::from_utf8(&made.input).unwrap());
                match (outcome, model(&ours, &removed, alignment)) {
                    (Ok(text), Some(expected)) => {
                        assert!(agrees(text, &expected), "seed {seed}, {alignment:?}: {text}, not {expected:?}");
                        replaced += usize::from(expected.iter().any(|line| line.contains('?')));
                    }
                    (Err(NoInput::Halted(_)), None) => halted += 1,
                    (outcome, expected) => panic!("seed {seed}, {alignment:?}: {outcome:?}, not {expected:?}"),
                }
            }
        }
    }
    assert!(halted > 50 && replaced > 50, "{halted} halted, {replaced} with another vertex");
}

/// Three vertices besides the root have edges to each other.
fn has_a_triangle(text: &str) -> bool {
    let edges: Vec<(&str, &str)> = text.split_whitespace().filter_map(|word| word.split_once('-')).collect();
    let edges: Vec<(&str, &str)> = edges.into_iter().filter(|(a, b)| ![*a, *b].contains(&"0")).collect();
    let linked = |a: &str, b: &str| a != b && (edges.contains(&(a, b)) || edges.contains(&(b, a)));
    edges.iter().any(|(a, b)| {
        let ends = edges.iter().flat_map(|(c, d)| [*c, *d]);
        a != b && ends.into_iter().any(|c| linked(a, c) && linked(b, c))
    })
}

/// How many vertices are left for each setting.
fn vertices_left(make: Make, seed: u64) -> [usize; 6] {
    let made = record_seed(make, seed);
    GReduce::all().map(|setting| {
        let result = reduce(make, &made, 1, has_a_triangle, |session, search| setting.reduce(session, search));
        result.best.split_whitespace().filter(|word| !word.contains('-')).count()
    })
}

#[test]
fn all_settings_leave_only_the_vertices_of_a_triangle() {
    let mut by_place = 0;
    let interesting = |seed: &u64| has_a_triangle(std::str::from_utf8(&record_seed(graph, *seed).input).unwrap());
    for seed in (0..).filter(interesting).take(10) {
        let (left, left_by_place) = (vertices_left(graph, seed), vertices_left(graph_by_place, seed));
        println!("seed {seed}: {left:?}, matched by place {left_by_place:?}");
        // What re-align draws instead can be part of a triangle that is found first.
        let most = GReduce::all().map(|setting| if setting.alignment == Alignment::Realign { 4 } else { 3 });
        assert!(left.iter().zip(most).all(|(left, most)| *left <= most), "seed {seed}: {left:?}");
        by_place += left_by_place.iter().sum::<usize>();
    }
    // By output it is about 3 for each of 6 settings and 10 seeds.
    assert!(by_place > 300, "{by_place} vertices in all if choices are matched by place");
}
