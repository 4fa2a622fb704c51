//! Long hostile texts in every language: odd shapes, then samples and shapes that are changed at random.
//!
//! Prints every text on which a parser crashes or does not come to an end, which is contained, and every one that fails: that
//! takes more than ten seconds of processor time for 200 KB, more than 200 times its memory, or memory that is not its own; or
//! whose tree is another one if it is parsed in pieces (`long.rs`). Then what was tried. Texts are parsed as runs do it: long
//! ones in pieces, or as a whole if that does not work out. The odd shapes are tried whatever time they take. The seed of a
//! text is its number, so a text that failed can be made again.

use std::collections::BTreeMap;
use std::io::Write;
use std::time::{Duration, Instant};

use whittle_languages::Language;
use whittle_trees::Fault;

use crate::long;
use crate::memory::Meter;
use crate::odd::SHAPES;
use crate::reports::reports;
use crate::{file, restored, samples, syntax};

/// Seconds of processor time for each byte, and for any text. The sanitizer makes C three times slower.
const SECONDS: (f64, f64) = if cfg!(asan) { (30.0 / 200_000.0, 3.0) } else { (10.0 / 200_000.0, 1.0) };

/// Bytes of memory for each byte, and bytes that are never too many.
const MEMORY: (usize, usize) = (200, 24 << 20);

/// What mutations insert.
const PARTS: [&[u8]; 30] = [
    b"(",
    b")",
    b"[",
    b"]",
    b"{",
    b"}",
    b"<",
    b">",
    b"\"",
    b"'",
    b"`",
    b"\"\"\"",
    b"/*",
    b"*/",
    b"//",
    b"#",
    b"\\",
    b"\n",
    b"\r\n",
    b"\t",
    b" ",
    b"<<E\n",
    b"[[",
    b"=begin\n",
    b"\xef\xbb\xbf",
    b"\xff",
    b"\xc3",
    "😀".as_bytes(),
    "ש".as_bytes(),
    b"${",
];

/// Runs the campaign that the words ask for: `SECONDS [BYTES [LANGUAGE...]]`, without the odd shapes as they are if `changed`
/// comes before it; or writes a text to standard output that failed: `seed NUMBER BYTES LANGUAGE`. Returns whether all went well.
pub fn run(words: &[&str]) -> bool {
    if let ["seed", seed, bytes, language] = words {
        let language = Language::by_name(language).expect("a language of this build");
        let (seed, bytes) = (seed.parse().expect("a number"), bytes.parse().expect("a number of bytes"));
        return std::io::stdout().write_all(&mutated(language, bytes, seed)).is_ok();
    }
    let (shapes, words) = match words {
        ["changed", words @ ..] => (&SHAPES[..0], words),
        _ => (&SHAPES[..], words),
    };
    let number = |at: usize, default: usize| words.get(at).map_or(default, |word| word.parse().expect("a number"));
    let (seconds, bytes) = (number(0, 600), number(1, 200_000));
    let languages: Vec<&'static Language> = match words.get(2..) {
        None | Some([]) => Language::all().iter().collect(),
        Some(names) => names.iter().map(|name| Language::by_name(name).expect("a language of this build")).collect(),
    };
    let mut campaign = Campaign::default();
    let began = Instant::now();
    for language in &languages {
        for (shape, make) in shapes {
            campaign.try_text(language, shape, &make(bytes));
        }
    }
    let mut seed = 0;
    while began.elapsed() < Duration::from_secs(seconds as u64) {
        for language in &languages {
            let most = [bytes / 100, bytes / 10, bytes][seed as usize % 3];
            campaign.try_text(language, &format!("seed {seed} {most}"), &mutated(language, most, seed));
        }
        seed += 1;
    }
    campaign.report(languages.len(), began.elapsed())
}

#[derive(Default)]
struct Campaign {
    texts: usize,
    bytes: usize,
    failed: usize,
    /// How many trees of long texts were compared with those of the whole.
    compared: usize,
    /// How often parsers failed, and Whittle did not.
    contained: BTreeMap<Fault, usize>,
    slowest: Worst,
    greediest: Worst,
}

/// The text with the largest figure.
#[derive(Default)]
struct Worst(f64, String);

impl Worst {
    fn see(&mut self, figure: f64, what: &str) {
        if figure > self.0 {
            *self = Self(figure, what.to_owned());
        }
    }
}

impl Campaign {
    fn try_text(&mut self, language: &'static Language, name: &str, text: &[u8]) {
        let syntax = syntax(language).with_new_record();
        let what = format!("{} {name} ({} bytes)", language.name, text.len());
        (self.texts, self.bytes) = (self.texts + 1, self.bytes + text.len());
        let (meter, began, before) = (Meter::start(), processor_seconds(), reports());
        drop(restored(&syntax, &file(text)));
        let (seconds, memory) = (processor_seconds() - began, meter.peak());
        let limit = |(per_byte, any): (f64, f64)| any + text.len() as f64 * per_byte;
        let is_greedy = memory > MEMORY.1.max(MEMORY.0 * text.len());
        for fault in syntax.faults() {
            *self.contained.entry(fault).or_default() += 1;
            if fault != Fault::Greedy {
                println!("contained: {what}: the parser {fault}");
            }
        }
        let new = reports() - before;
        if seconds > limit(SECONDS) || is_greedy || new > 0 {
            self.failed += 1;
            println!("failed: {what}: {seconds:.1} s, {} MB, {new} reports", memory >> 20);
        }
        self.slowest.see(seconds, &what);
        if text.len() > 100_000 {
            self.greediest.see(memory as f64 / text.len() as f64, &what);
        }
        match long::compare(&syntax, text) {
            Ok(compared) => self.compared += compared,
            Err(difference) => {
                self.failed += 1;
                println!("failed: {what}: {difference}");
            }
        }
    }

    fn report(&self, languages: usize, elapsed: Duration) -> bool {
        let (texts, mb, seconds) = (self.texts, self.bytes / 1_000_000, elapsed.as_secs());
        println!("{languages} languages, {texts} texts, {mb} MB in {seconds} s: {} failed", self.failed);
        for (fault, count) in &self.contained {
            println!("contained: the parser {fault}: {count} texts");
        }
        println!("in pieces as from the whole: {} trees", self.compared);
        println!("slowest: {:.1} s, {}", self.slowest.0, self.slowest.1);
        println!("most memory: {:.0} times the text, {}", self.greediest.0, self.greediest.1);
        self.failed == 0
    }
}

/// A sample or a shape of up to `most` bytes, changed at a few or at many places.
fn mutated(language: &Language, most: usize, seed: u64) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(seed);
    let samples = samples(language);
    let part = match random.u8(..4) {
        0 => SHAPES[random.usize(..SHAPES.len())].1(random.usize(10..2000)),
        _ => random.choice(&samples).cloned().unwrap_or_default(),
    };
    let mut text = part.repeat((random.usize(..=most) / part.len().max(1)).max(1));
    for _ in 0..1_usize << random.usize(..8) {
        let (at, other) = (random.usize(..=text.len()), random.usize(..=text.len()));
        let range = at.min(other)..at.max(other).min(at.min(other) + random.usize(1..200));
        let piece = PARTS[random.usize(..PARTS.len())];
        let new = match random.u8(..6) {
            0 => Vec::new(),
            1 => text[range.clone()].repeat(2),
            2 => piece.to_vec(),
            3 => piece.repeat(random.usize(1..=(most / 10).max(1))),
            4 => (0..random.usize(1..8)).map(|_| random.u8(1..)).collect(),
            _ => text[random.usize(..=at)..at].iter().take(200).copied().collect(),
        };
        text.splice(range, new);
    }
    text.truncate(most);
    text
}

/// The processor time of this process.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    stat.split(' ').next().and_then(|word| word.parse::<f64>().ok()).unwrap_or_default() / 1e9
}
