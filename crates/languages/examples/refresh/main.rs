//! Copies the grammars out of the resolved parser crates into `grammars/`, compressed, with a list of their origins:
//!
//! ```text
//! cargo run -p whittle-languages --features all-languages --example refresh
//! ```

mod shipped;

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use shipped::Shipped;
use whittle_languages::Language;

const HEAD: &str = "# Grammars

The `grammar.json` that each parser was generated from, without whitespace, compressed. Written by
`cargo run -p whittle-languages --features all-languages --example refresh`; a test fails if a crate contains another version.

| language | crate | version | license | bytes | compressed |
|---|---|---|---|--:|--:|
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("grammars");
    let crates = Shipped::all()?;
    let mut list = HEAD.to_owned();
    let (mut bytes, mut packed_bytes) = (0, 0);
    for language in Language::all() {
        let source = language.source;
        let shipped = crates.get(source.package).ok_or_else(|| format!("{} is not resolved", source.package))?;
        let json = shipped.grammar(language)?;
        let mut packer = GzEncoder::new(Vec::new(), Compression::best());
        packer.write_all(json.as_bytes())?;
        let packed = packer.finish()?;
        std::fs::write(folder.join(format!("{}.json.gz", language.name)), &packed)?;
        let (title, package) = (language.title, source.package);
        let [version, license] = &shipped.origin;
        writeln!(list, "| {title} | {package} | {version} | {license} | {} | {} |", json.len(), packed.len())?;
        bytes += json.len();
        packed_bytes += packed.len();
    }
    writeln!(list, "| all | | | | {bytes} | {packed_bytes} |")?;
    std::fs::write(folder.join("README.md"), list)?;
    Ok(())
}
