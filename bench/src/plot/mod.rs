//! `plot`: results as SVG.

mod curves;
mod profile;
mod ratios;

use std::fs;

use anyhow::{Context, Result, anyhow};
use plotters::style::RGBColor;

use crate::args::PlotArgs;
use crate::comparison::Comparison;
use crate::reducers::is_whittle;

const FONT: &str = "sans-serif";

/// Draws the plots into a folder.
pub(crate) fn run(args: &PlotArgs) -> Result<()> {
    let comparison = Comparison::read(&args.results)?;
    fs::create_dir_all(&args.output).with_context(|| args.output.display().to_string())?;
    curves::draw(&comparison, &args.output.join("sizes.svg"))?;
    ratios::draw(&comparison, &args.output.join("ratios.svg"))?;
    profile::draw(&comparison, &args.output.join("profile.svg"))
}

/// Whittle's algorithms are blue to violet, peers have the other colours.
fn colours(comparison: &Comparison) -> Vec<RGBColor> {
    const OURS: [u32; 10] =
        [0x08306b, 0x4292c6, 0x9ecae1, 0x7b4fc9, 0xc994c7, 0x00838f, 0x3f2b96, 0x5ab4ac, 0xb39ddb, 0x607d8b];
    const PEERS: [u32; 8] = [0xd1495b, 0xedae49, 0x2e8b57, 0x8c564b, 0xe377c2, 0x7f7f7f, 0xbcbd22, 0xff7f0e];
    let (mut ours, mut peers) = (OURS.iter().cycle(), PEERS.iter().cycle());
    let mut next = |name: &str| if is_whittle(name) { ours.next() } else { peers.next() };
    let rgb = |code: u32| RGBColor((code >> 16) as u8, (code >> 8) as u8, code as u8);
    comparison.reducers.iter().map(|(name, _)| rgb(*next(name).unwrap_or(&0))).collect()
}

/// Errors of the drawing library borrow what they were drawn on.
fn drawing(error: impl std::fmt::Display) -> anyhow::Error {
    anyhow!("{error}")
}
