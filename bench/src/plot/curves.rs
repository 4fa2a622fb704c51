//! Size over test runs: a panel per subject, a line per reducer. Both scales are logarithmic. A line ends where the
//! reducer ended; a dot marks the result.

use std::path::Path;

use anyhow::Result;
use plotters::coord::Shift;
use plotters::prelude::*;

use super::{FONT, colours, drawing};
use crate::comparison::Comparison;
use crate::outcome::Outcome;

const COLUMNS: usize = 3;
const PANEL: (u32, u32) = (400, 300);
const LEGEND_LINE: u32 = 26;
const LEGEND_COLUMNS: usize = 4;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

pub(super) fn draw(comparison: &Comparison, file: &Path) -> Result<()> {
    let rows = comparison.subjects.len().div_ceil(COLUMNS);
    let legend = LEGEND_LINE * comparison.reducers.len().div_ceil(LEGEND_COLUMNS) as u32 + 10;
    let size = (PANEL.0 * COLUMNS as u32, PANEL.1 * rows as u32 + legend);
    let root = SVGBackend::new(file, size).into_drawing_area();
    root.fill(&WHITE).map_err(drawing)?;
    let (top, panels) = root.split_vertically(legend);
    draw_legend(&top, comparison)?;
    for (panel, subject) in panels.split_evenly((rows, COLUMNS)).iter().zip(comparison.subjects.keys()) {
        draw_panel(panel, comparison, subject)?;
    }
    root.present().map_err(drawing)
}

fn draw_legend(area: &Area<'_>, comparison: &Comparison) -> Result<()> {
    let step = PANEL.0 as usize * COLUMNS / LEGEND_COLUMNS;
    for (index, ((name, _), colour)) in comparison.reducers.iter().zip(colours(comparison)).enumerate() {
        let (x, y) =
            (20 + (index % LEGEND_COLUMNS * step) as i32, 14 + (index / LEGEND_COLUMNS) as i32 * LEGEND_LINE as i32);
        area.draw(&PathElement::new([(x, y), (x + 24, y)], colour.stroke_width(3))).map_err(drawing)?;
        area.draw(&Text::new(name.as_str(), (x + 30, y - 9), (FONT, 18))).map_err(drawing)?;
    }
    Ok(())
}

fn draw_panel(area: &Area<'_>, comparison: &Comparison, subject: &str) -> Result<()> {
    let lines: Vec<_> = comparison
        .reducers
        .iter()
        .zip(colours(comparison))
        .filter_map(|((name, _), colour)| Some((steps(comparison.rounds(subject, name).first()?), colour)))
        .collect();
    let points = || lines.iter().flat_map(|(points, _)| points);
    let most_runs = points().map(|point| point.0).fold(10.0, f64::max) * 1.3;
    let most = points().map(|point| point.1).fold(1.0, f64::max) * 1.3;
    let least = points().map(|point| point.1).fold(most, f64::min) / 1.3;
    let mut chart = ChartBuilder::on(area)
        .caption(subject, (FONT, 19))
        .margin(8)
        .margin_right(16)
        .x_label_area_size(42)
        .y_label_area_size(60)
        .build_cartesian_2d((1.0..most_runs).log_scale(), (least..most).log_scale().base(2.0))
        .map_err(drawing)?;
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .bold_line_style(BLACK.mix(0.12))
        .label_style((FONT, 15))
        .x_desc("test runs")
        .y_desc("tokens")
        .x_labels(5)
        .y_labels(5)
        .x_label_formatter(&whole)
        .y_label_formatter(&whole)
        .draw()
        .map_err(drawing)?;
    // Whittle's lines come first in the list; draw them last, on top.
    for (points, colour) in lines.into_iter().rev() {
        let last = points.last().copied();
        chart.draw_series(LineSeries::new(points, colour.stroke_width(2))).map_err(drawing)?;
        chart.draw_series(last.map(|point| Circle::new(point, 3, colour.filled()))).map_err(drawing)?;
    }
    Ok(())
}

fn whole(number: &f64) -> String {
    format!("{number:.0}")
}

/// The corners of a run's line: it drops where the best candidate got smaller, and ends at the last test run.
fn steps(outcome: &Outcome) -> Vec<(f64, f64)> {
    let mut corners = Vec::new();
    for point in &outcome.curve {
        let (runs, tokens) = (point.runs.max(1) as f64, point.tokens.max(1) as f64);
        if let Some(&(_, before)) = corners.last() {
            corners.push((runs, before));
        }
        corners.push((runs, tokens));
    }
    if let Some(&(_, tokens)) = corners.last() {
        corners.push((outcome.runs.max(1) as f64, tokens));
    }
    corners
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::tests::outcome;

    #[test]
    fn lines_go_down_in_steps_and_end_with_the_last_run() {
        let corners = steps(&outcome("one", "whittle", 10, 100));
        assert_eq!(corners, [(1.0, 1000.0), (50.0, 1000.0), (50.0, 10.0), (100.0, 10.0)]);
    }

    #[test]
    fn every_subject_and_every_reducer_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("sizes.svg");
        let outcomes = ["one", "two"].map(|subject| outcome(subject, "whittle", 10, 100));
        draw(&Comparison::new(outcomes.to_vec()), &file).unwrap();
        let svg = std::fs::read_to_string(&file).unwrap();
        for word in ["one", "two", "whittle"] {
            assert!(svg.contains(word), "{word}");
        }
    }
}
