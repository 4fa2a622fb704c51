//! Draws the live view: what goes where, for large and for small terminals.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::Marker;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Axis, Block, Chart, Dataset, GraphType, Paragraph};
use whittle::property::Rejection;
use whittle::syntaxes::SizeUnit;
use whittle::trees::Syntax;

use super::super::format::{count, percent, time};
use super::colours::coloured;
use super::excerpt::{difference, excerpt};
use super::state::{Sizes, State};

/// Below this many columns or rows, there is no room for anything but the text.
const ROOM: (u16, u16) = (76, 14);

/// The columns of the panels at the side.
const SIDE: u16 = 40;

/// What is shown in the large part of the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Shows {
    /// The smallest input so far.
    #[default]
    Text,
    /// What the last step changed.
    Difference,
    /// What the last rejected tests printed.
    Rejected,
}

/// What the user chose to see.
#[derive(Clone, Debug, Default)]
pub(super) struct View {
    pub(super) shows: Shows,
    /// The first line that is shown.
    pub(super) scroll: usize,
    pub(super) is_paused: bool,
    /// What the last key did.
    pub(super) message: String,
}

/// Everything that is drawn.
pub(super) struct Scene<'a> {
    pub(super) state: &'a State,
    pub(super) view: &'a View,
    pub(super) syntax: Option<&'a Syntax>,
    /// How many tests run.
    pub(super) running: usize,
    pub(super) reasons: &'a [(String, u64)],
    pub(super) rejected: &'a [Rejection],
}

/// Draws `scene`, and returns how far one can scroll.
pub(super) fn draw(frame: &mut Frame<'_>, scene: &Scene<'_>) -> usize {
    let area = frame.area();
    let [head, body, foot] =
        Layout::vertical([Constraint::Length(2), Constraint::Fill(1), Constraint::Length(1)]).areas(area);
    frame.render_widget(Paragraph::new(summary(scene)), head);
    frame.render_widget(Paragraph::new(keys(scene.view)), foot);
    if area.width < ROOM.0 || area.height < ROOM.1 {
        return draw_text(frame, body, scene);
    }
    let [main, side] = Layout::horizontal([Constraint::Fill(1), Constraint::Length(SIDE)]).areas(body);
    let [curve, passes, reasons] =
        Layout::vertical([Constraint::Fill(3), Constraint::Fill(3), Constraint::Fill(2)]).areas(side);
    draw_curve(frame, curve, scene.state);
    draw_passes(frame, passes, scene.state);
    draw_reasons(frame, reasons, scene);
    draw_text(frame, main, scene)
}

fn summary(scene: &Scene<'_>) -> Vec<Line<'static>> {
    let state = scene.state;
    let elapsed = time(state.started.elapsed());
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let Some(first) = state.first else {
        return vec![Line::styled(state.name.clone(), bold), Line::raw(format!("checking the input for {elapsed}"))];
    };
    let share = percent(state.size.units as f64, first.units.max(1) as f64);
    let sizes = format!("{} -> {} ({share})", size(first, state.unit), size(state.size, state.unit));
    let work = format!(
        "{} tests, {:.0}/s, {} of {} workers, {elapsed}",
        count(state.tally.tests),
        state.rate(),
        scene.running,
        state.jobs,
    );
    let doing = match (scene.view.is_paused, state.passes.current()) {
        (true, _) => Span::styled("  paused", Style::new().fg(Color::Yellow)),
        (false, pass) => Span::raw(format!("  {pass}")),
    };
    vec![
        Line::from(vec![Span::styled(state.name.clone(), bold), Span::raw(format!("  {sizes}"))]),
        Line::from(vec![Span::raw(work), doing]),
    ]
}

fn size(size: Sizes, unit: SizeUnit) -> String {
    let files = size.files.map(|files| format!("{} files, ", count(files))).unwrap_or_default();
    format!("{files}{} {unit}", count(size.units))
}

fn keys(view: &View) -> Line<'static> {
    if !view.message.is_empty() {
        return Line::styled(view.message.clone(), Style::new().fg(Color::Yellow));
    }
    let pause = if view.is_paused { "p resume" } else { "p pause" };
    let keys = [pause, "s skip pass", "d changes", "f failures", "c save copy", "q quit"];
    Line::styled(keys.join("   "), Style::new().fg(Color::DarkGray))
}

fn draw_text(frame: &mut Frame<'_>, area: Rect, scene: &Scene<'_>) -> usize {
    let (title, inner) = match scene.view.shows {
        Shows::Text => ("smallest so far", None),
        Shows::Difference => ("last change", Some(changes(scene.state))),
        Shows::Rejected => ("last rejected tests", Some(failures(scene.rejected))),
    };
    let block = Block::bordered().title(title).border_style(Style::new().fg(Color::DarkGray));
    let room = block.inner(area);
    let height = usize::from(room.height);
    let (lines, count) = match (inner, &scene.state.best) {
        (Some(lines), _) => {
            let from = scene.view.scroll.min(lines.len().saturating_sub(height));
            (lines[from..].to_vec(), lines.len())
        }
        (None, Some(best)) => {
            let part = excerpt(best, scene.view.scroll, height, usize::from(room.width));
            (coloured(&part.text, scene.syntax.filter(|_| !best.is_project())), part.lines)
        }
        (None, None) => (Vec::new(), 0),
    };
    frame.render_widget(Paragraph::new(lines).block(block), area);
    count.saturating_sub(height)
}

fn changes(state: &State) -> Vec<Line<'static>> {
    let (Some(best), Some(previous)) = (&state.best, &state.previous) else {
        return vec![Line::raw("Nothing has changed yet.")];
    };
    let style = |line: &str| match line.as_bytes().first() {
        Some(b'-') => Style::new().fg(Color::Red),
        Some(b'+') => Style::new().fg(Color::Green),
        Some(b'@') => Style::new().fg(Color::DarkGray),
        _ => Style::new(),
    };
    difference(previous, best).lines().map(|line| Line::styled(line.to_owned(), style(line))).collect()
}

fn failures(rejected: &[Rejection]) -> Vec<Line<'static>> {
    if rejected.is_empty() {
        return vec![Line::raw("No test was rejected yet.")];
    }
    let lines = rejected.iter().flat_map(|Rejection { reason, output }| {
        let output = if output.is_empty() { "(no output)" } else { output.as_str() };
        let reason = Line::styled(reason.clone(), Style::new().fg(Color::Yellow));
        let output: Vec<Line<'static>> = output.lines().map(|line| Line::raw(format!("  {line}"))).collect();
        std::iter::once(reason).chain(output)
    });
    lines.collect()
}

/// Size over tests. The size is drawn in powers of ten, since most of it goes early.
fn draw_curve(frame: &mut Frame<'_>, area: Rect, state: &State) {
    let log = |size: u64| (size as f64 + 1.0).log10();
    let points: Vec<(f64, f64)> =
        state.curve.points().iter().map(|(tests, size)| (*tests as f64, log(*size))).collect();
    let most = state.curve.points().iter().map(|(_, size)| *size).max().unwrap_or(1).max(1);
    let tests = state.tally.tests.max(1);
    let middle = 10f64.powf(log(most) / 2.0) - 1.0;
    let line = Dataset::default().marker(Marker::Braille).graph_type(GraphType::Line).data(&points);
    let chart = Chart::new(vec![line.style(Style::new().fg(Color::Cyan))])
        .block(panel(&format!("{} over tests", state.unit)))
        .x_axis(Axis::default().bounds([0.0, tests as f64]).labels(["0".to_owned(), count(tests)]))
        .y_axis(Axis::default().bounds([0.0, log(most)]).labels(["0".to_owned(), count(middle as u64), count(most)]));
    frame.render_widget(chart, area);
}

/// What each pass brought, the best first.
fn draw_passes(frame: &mut Frame<'_>, area: Rect, state: &State) {
    let mut passes: Vec<_> = state.passes.ended().iter().collect();
    passes.sort_by_key(|pass| std::cmp::Reverse(pass.saved));
    let row = |name: &str, saved: &str, tests: &str| format!("{name:<16.16} {saved:>10} {tests:>9}");
    let head = Line::styled(row("pass", "removed", "tests"), Style::new().fg(Color::DarkGray));
    let rows = passes.iter().map(|pass| Line::raw(row(&pass.name, &count(pass.saved), &count(pass.tests))));
    let lines: Vec<Line<'_>> = std::iter::once(head).chain(rows).collect();
    frame.render_widget(Paragraph::new(lines).block(panel("passes")), area);
}

/// Why tests were rejected, the most frequent reason first.
fn draw_reasons(frame: &mut Frame<'_>, area: Rect, scene: &Scene<'_>) {
    let rows = scene.reasons.iter().map(|(reason, times)| Line::raw(format!("{:>7}  {reason}", count(*times))));
    frame.render_widget(Paragraph::new(rows.collect::<Vec<_>>()).block(panel("rejected because of")), area);
}

fn panel(title: &str) -> Block<'static> {
    Block::bordered().title(title.to_owned()).border_style(Style::new().fg(Color::DarkGray))
}

#[cfg(test)]
mod tests {
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use whittle::search::{Candidate, Event, Listener, Measured, Moment, Size, Tally};

    use super::*;

    fn measured(text: &str) -> Measured {
        let size = Size { files: 1, units: text.split_whitespace().count() as u64, ..Size::default() };
        Measured { size, ..Measured::in_bytes(Candidate::single("bug.c", text.as_bytes().to_vec())) }
    }

    fn state() -> State {
        let mut state = State::new("bug.c".into(), SizeUnit::Tokens, 4);
        let mut hear = |event: Event, text: &str, tests: u64| {
            let (best, tally) = (measured(text), Tally { tests, ..Tally::default() });
            state.notify(&event, &Moment { elapsed: Default::default(), best: &best, tally, busy: 2, tested: None });
        };
        let text = "int a ;\nint b ;\nint c ;\n";
        hear(Event::PassBegun { pass: "lines".into() }, text, 0);
        hear(Event::Improved, "int a ;\nint c ;\n", 3);
        hear(Event::PassEnded { pass: "lines".into(), tests: 7, from: measured(text).size }, "int a ;\nint c ;\n", 7);
        state
    }

    fn screen(width: u16, height: u16, shows: Shows) -> String {
        let (state, view) = (state(), View { shows, scroll: 99, ..View::default() });
        let rejected = [Rejection { reason: "exit status 1, expected 0".into(), output: "oops".into() }];
        let reasons = [("exit status 1, expected 0".to_owned(), 5)];
        let scene =
            Scene { state: &state, view: &view, syntax: None, running: 2, reasons: &reasons, rejected: &rejected };
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| _ = draw(frame, &scene)).unwrap();
        terminal.backend().to_string()
    }

    #[test]
    fn a_large_terminal_shows_everything() {
        let screen = screen(120, 30, Shows::Text);
        for part in ["9 tokens -> 6 tokens (67%)", "7 tests", "2 of 4 workers", "int a ;", "int c ;", "s skip pass"] {
            assert!(screen.contains(part), "{part}\n{screen}");
        }
        for part in ["tokens over tests", "lines                     3         7", "5  exit status 1"] {
            assert!(screen.contains(part), "{part}\n{screen}");
        }
        assert!(!screen.contains("int b"));
    }

    #[test]
    fn what_is_shown_can_be_chosen() {
        assert!(screen(120, 30, Shows::Difference).contains("-int b ;"));
        assert!(screen(120, 30, Shows::Rejected).contains("  oops"));
    }

    #[test]
    fn any_size_can_be_drawn_and_a_small_one_shows_the_text() {
        for shows in [Shows::Text, Shows::Difference, Shows::Rejected] {
            for (width, height) in [(1, 1), (2, 3), (20, 5), (76, 14), (75, 40), (300, 13), (300, 100)] {
                screen(width, height, shows);
            }
        }
        let small = screen(30, 7, Shows::Text);
        assert!(small.contains("int c ;") && !small.contains("passes"), "{small}");
    }
}
