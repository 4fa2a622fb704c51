//! Ratios to the best peer over all subjects: a row per reducer, a dot per subject, a bar for the geometric mean. The
//! best peer of a subject is the one with the fewest tokens. Left of the line is better than that peer.

use std::path::Path;

use anyhow::Result;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{FONT, colours, drawing};
use crate::comparison::{Comparison, Measure};
use crate::statistics::geometric_mean;

const PANEL_WIDTH: u32 = 520;
const NAMES_WIDTH: u32 = 190;
const ROW: u32 = 26;
const FRAME: u32 = 80;

pub(super) fn draw(comparison: &Comparison, file: &Path) -> Result<()> {
    let rows = comparison.reducers.len();
    let height = ROW * rows as u32 + FRAME;
    let root = SVGBackend::new(file, (NAMES_WIDTH + 2 * PANEL_WIDTH, height)).into_drawing_area();
    root.fill(&WHITE).map_err(drawing)?;
    let (left, right) = root.split_horizontally(NAMES_WIDTH + PANEL_WIDTH);
    draw_panel(&left, comparison, Measure::Tokens, "tokens, relative to the best peer", NAMES_WIDTH)?;
    draw_panel(&right, comparison, Measure::Runs, "test runs, relative to the same peer", 0)?;
    root.present().map_err(drawing)
}

fn draw_panel(
    area: &DrawingArea<SVGBackend<'_>, Shift>,
    comparison: &Comparison,
    measure: Measure,
    title: &str,
    names_width: u32,
) -> Result<()> {
    let rows: Vec<Vec<f64>> =
        comparison.reducers.iter().map(|(name, _)| comparison.ratios_to_best_peer(name, measure)).collect();
    let all = || rows.iter().flatten().copied();
    let (least, most) = (all().fold(0.5, f64::min) / 1.3, all().fold(2.0, f64::max) * 1.3);
    let bottom = rows.len() as f64;
    let mut chart = ChartBuilder::on(area)
        .caption(title, (FONT, 16))
        .margin(8)
        .margin_right(20)
        .x_label_area_size(28)
        .y_label_area_size(names_width)
        .build_cartesian_2d((least..most).log_scale().base(2.0), bottom..0.0)
        .map_err(drawing)?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .disable_y_axis()
        .light_line_style(WHITE)
        .bold_line_style(BLACK.mix(0.12))
        .label_style((FONT, 12))
        .x_labels(8)
        .x_label_formatter(&|ratio| if *ratio < 1.0 { format!("{ratio:.2}") } else { format!("{ratio:.0}") })
        .draw()
        .map_err(drawing)?;
    chart.draw_series([PathElement::new([(1.0, 0.0), (1.0, bottom)], BLACK.mix(0.5))]).map_err(drawing)?;
    for (row, (ratios, colour)) in rows.iter().zip(colours(comparison)).enumerate() {
        let middle = row as f64 + 0.5;
        let dots = ratios.iter().map(|&ratio| Circle::new((ratio, middle), 4, colour.mix(0.45).filled()));
        chart.draw_series(dots).map_err(drawing)?;
        let bar = geometric_mean(ratios)
            .map(|mean| PathElement::new([(mean, middle - 0.35), (mean, middle + 0.35)], colour.stroke_width(3)));
        chart.draw_series(bar).map_err(drawing)?;
    }
    if names_width > 0 {
        let right = TextStyle::from((FONT, 14)).pos(Pos::new(HPos::Right, VPos::Center));
        let names = comparison.reducers.iter().enumerate().map(|(row, (name, _))| {
            let (x, y) = chart.backend_coord(&(least, row as f64 + 0.5));
            Text::new(name.clone(), (x - 10, y), right.clone())
        });
        for name in names {
            area.draw(&name).map_err(drawing)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::tests::outcome;

    #[test]
    fn there_is_a_dot_for_each_subject_and_reducer() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ratios.svg");
        let outcomes = ["one", "two", "three"]
            .iter()
            .flat_map(|subject| [outcome(subject, "whittle", 10, 100), outcome(subject, "cvise", 20, 300)]);
        draw(&Comparison::new(outcomes.collect()), &file).unwrap();
        let svg = std::fs::read_to_string(&file).unwrap();
        assert_eq!(svg.matches("<circle").count(), 2 * 3 * 2);
        assert!(svg.contains("whittle") && svg.contains("cvise"));
    }
}
