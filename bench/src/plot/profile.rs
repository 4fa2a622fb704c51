//! The performance profile of Dolan and Moré (2002): for each factor, the share of subjects on which a reducer's result has at
//! most that many times the tokens of the smallest result. Higher is better. The share is of the subjects that the reducer
//! was run on together with another one; a failure is never near.

use std::path::Path;

use anyhow::Result;
use plotters::prelude::*;

use super::{FONT, colours, drawing};
use crate::comparison::{Comparison, Measure};

const SIZE: (u32, u32) = (900, 420);
/// The largest factor shown.
const WIDEST: f64 = 16.0;

pub(super) fn draw(comparison: &Comparison, file: &Path) -> Result<()> {
    let root = SVGBackend::new(file, SIZE).into_drawing_area();
    root.fill(&WHITE).map_err(drawing)?;
    let mut chart = ChartBuilder::on(&root)
        .caption("share of subjects within a factor of the smallest result, in tokens", (FONT, 17))
        .margin(10)
        .margin_right(24)
        .x_label_area_size(40)
        .y_label_area_size(60)
        .build_cartesian_2d((1.0..WIDEST).log_scale().base(2.0), 0.0..1.0)
        .map_err(drawing)?;
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .bold_line_style(BLACK.mix(0.12))
        .label_style((FONT, 14))
        .x_desc("factor")
        .y_label_formatter(&|share| format!("{:.0}%", 100.0 * share))
        .draw()
        .map_err(drawing)?;
    // Whittle's lines come first in the list; draw them last, on top.
    for ((name, _), colour) in comparison.reducers.iter().zip(colours(comparison)).rev() {
        let line = LineSeries::new(steps(&ratios(comparison, name)), colour.stroke_width(2));
        let legend = move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(3));
        chart.draw_series(line).map_err(drawing)?.label(name.as_str()).legend(legend);
    }
    let position = SeriesLabelPosition::LowerRight;
    let labels = chart.configure_series_labels().position(position).label_font((FONT, 14)).draw();
    labels.map_err(drawing)?;
    root.present().map_err(drawing)
}

/// A reducer's tokens divided by the fewest of all reducers, on each subject that it and another one were run on, in order. A
/// failure is infinite.
fn ratios(comparison: &Comparison, reducer: &str) -> Vec<f64> {
    let tokens =
        |subject: &str, reducer: &str| comparison.value(subject, reducer, Measure::Tokens).map(|size| size.max(1.0));
    let has_run = |subject: &str, reducer: &str| !comparison.rounds(subject, reducer).is_empty();
    let rivals = |subject: &str| comparison.reducers.iter().filter(|(name, _)| has_run(subject, name)).count();
    let run_on = comparison.subjects.keys().filter(|subject| has_run(subject, reducer) && rivals(subject) > 1);
    let mut ratios: Vec<f64> = run_on
        .map(|subject| {
            let all = comparison.reducers.iter().filter_map(|(name, _)| tokens(subject, name));
            let least = all.fold(f64::INFINITY, f64::min);
            tokens(subject, reducer).map_or(f64::INFINITY, |size| size / least)
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    ratios
}

/// The corners of the line.
fn steps(ratios: &[f64]) -> Vec<(f64, f64)> {
    let share = |count: usize| count as f64 / ratios.len().max(1) as f64;
    let mut corners = vec![(1.0, 0.0)];
    for (index, &ratio) in ratios.iter().enumerate().filter(|(_, ratio)| **ratio <= WIDEST) {
        corners.push((ratio, share(index)));
        corners.push((ratio, share(index + 1)));
    }
    corners.push((WIDEST, corners.last().map_or(0.0, |corner| corner.1)));
    corners
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::End;
    use crate::outcome::tests::outcome;

    #[test]
    fn a_share_counts_what_is_near_and_a_failure_never_is() {
        let mut failed = outcome("two", "cvise", 10, 5);
        failed.end = End::Failed;
        let outcomes = vec![
            outcome("one", "whittle", 10, 9),
            outcome("one", "cvise", 20, 9),
            outcome("two", "whittle", 10, 9),
            outcome("alone", "whittle", 10, 9),
            failed,
        ];
        let comparison = Comparison::new(outcomes);
        assert_eq!(ratios(&comparison, "whittle"), [1.0, 1.0]);
        assert_eq!(ratios(&comparison, "cvise"), [2.0, f64::INFINITY]);
        assert_eq!(steps(&ratios(&comparison, "cvise")), [(1.0, 0.0), (2.0, 0.0), (2.0, 0.5), (WIDEST, 0.5)]);
    }
}
