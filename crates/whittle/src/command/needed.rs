//! `whittle explain`: why is this still here? Each token of a result, and each part that begins a line, is left out once, and
//! what happens instead is shown beside it.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use whittle::property::conditions::Ending;
use whittle::property::{CommandTest, Observed, at_once};
use whittle::reduction::check_test;
use whittle::search::{Candidate, Interrupter, TestError};
use whittle::syntaxes::{LanguageChoice, Syntaxes};
use whittle::trees::{Kind, NodeId, Tree};

use super::exit::{Exit, Refusal};
use super::explain::explained;
use super::init::error_line;
use super::languages::detection;
use super::limits::Jobs;
use super::print::answer;
use super::signals::SignalWatch;
use super::subject::Subject;
use super::test_args::TestArgs;

/// Show what each part of a result is needed for
///
/// Leaves out each token, and each statement, declaration or other part that begins a line, and says what the test does
/// instead. Below each line of the result, a letter stands for what happens without the token above it; the letters are
/// explained at the end. Give the same test as for the reduction. With --run, what the command prints is part of the
/// explanation; a script should print it too.
#[derive(Debug, Args)]
#[command(override_usage = USAGE)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    test: TestArgs,

    #[command(flatten)]
    jobs: Jobs,
}

const USAGE: &str = "\
whittle explain [OPTIONS] <TEST> <RESULT>
       whittle explain [OPTIONS] --run <COMMAND> <RESULT>";

/// More tokens than this are no result that a person reads, and each costs a test.
const MOST_TOKENS: usize = 1000;

/// The longest text of a message that is shown, in characters.
const LONGEST_REASON: usize = 100;

/// Tests what is left without each part, and prints it.
pub(crate) fn run(args: ExplainArgs) -> Result<Exit> {
    let jobs = args.jobs.count();
    let subject = Subject::resolve(args.test)?;
    let candidate = subject.input.candidate();
    let test = subject.start_test(jobs)?;
    let interrupter = Interrupter::default();
    let _signals = SignalWatch::start(interrupter.clone(), &test, None)?;
    let checked = check_test(&test, candidate, 1, interrupter.cancel());
    let timeout = checked.map_err(|error| explained(error, &subject))?.survey.timeout;
    let language = detection(candidate.files().iter().map(whittle::search::File::path))?;
    let needed = Needed::find(&test, candidate, &language, timeout, (jobs, &interrupter))?;
    answer(needed.to_string().trim_end());
    Ok(Exit::Done)
}

/// What each part of a text is needed for.
pub(crate) struct Needed {
    text: Vec<u8>,
    /// What happens without each token.
    pub(crate) tokens: Vec<(Range<usize>, String)>,
    /// What happens without what begins a line.
    parts: Vec<(Range<usize>, String)>,
}

impl Needed {
    /// Leaves out each token, and each part that begins a line.
    pub(crate) fn find(
        test: &CommandTest,
        candidate: &Candidate,
        language: &LanguageChoice,
        timeout: Duration,
        (jobs, interrupter): (usize, &Interrupter),
    ) -> Result<Self> {
        if candidate.is_project() {
            return Err(Refusal::new("a project cannot be explained", "Give a single file.").into());
        }
        let tree = tree_of(candidate, language)?;
        let tokens: Vec<Range<usize>> = tree.tokens(tree.root()).map(|token| tree.token_range(token)).collect();
        if tokens.is_empty() {
            return Err(Refusal::new("there is nothing in the file", "Give the result of a reduction.").into());
        }
        if tokens.len() > MOST_TOKENS {
            let problem = format!("the file has {} tokens, and at most {MOST_TOKENS} can be explained", tokens.len());
            return Err(Refusal::new(problem, "Reduce it first.").into());
        }
        let parts: Vec<Range<usize>> = lines_of(tree.text()).iter().filter_map(|line| part_at(&tree, line)).collect();
        let all: Vec<Range<usize>> = tokens.iter().chain(&parts).cloned().collect();
        let reasons = at_once(&all, jobs, |range| {
            let observed = test.observe(&without(candidate, range), timeout, interrupter.cancel())?;
            let is_interesting = test.criteria().conditions.judge(&observed.observation).is_ok();
            Ok(reason(&observed, is_interesting, candidate))
        });
        let reasons: Result<Vec<String>, TestError> = reasons.into_iter().collect();
        let mut explained: Vec<(Range<usize>, String)> = all.into_iter().zip(reasons?).collect();
        let parts = explained.split_off(tokens.len());
        Ok(Self { text: tree.text().to_vec(), tokens: explained, parts })
    }
}

impl fmt::Display for Needed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&page(&self.text, &self.tokens, &self.parts))
    }
}

fn tree_of(candidate: &Candidate, language: &LanguageChoice) -> Result<Tree> {
    let syntaxes = Syntaxes::choose(language, candidate)?;
    let text = candidate.files().first().map_or(&[][..], |file| file.bytes()).to_vec();
    Ok(syntaxes.first().map_or_else(|| Tree::generic(text.clone()), |syntax| syntax.tree(text.clone())))
}

/// The lines of a text that are not blank, as ranges from their first visible character to their end.
fn lines_of(text: &[u8]) -> Vec<Range<usize>> {
    let mut start = 0;
    let mut lines = Vec::new();
    for line in text.split(|byte| *byte == b'\n') {
        if let Some(blank) = line.iter().position(|byte| !byte.is_ascii_whitespace()) {
            lines.push(start + blank..start + line.len());
        }
        start += line.len() + 1;
    }
    lines
}

/// The largest part that begins where a line does and can be deleted by the grammar, unless it is everything.
fn part_at(tree: &Tree, line: &Range<usize>) -> Option<Range<usize>> {
    let range = |node: NodeId| {
        let mut tokens = tree.tokens(node).map(|token| tree.token_range(token));
        let first = tokens.next()?;
        Some(first.start..tokens.last().map_or(first.end, |last| last.end))
    };
    let is_deletable = |node: &NodeId| {
        let parent = tree.parent(*node).map(|parent| tree.kind(parent));
        matches!(parent, Some(Kind::List { .. } | Kind::Optional))
    };
    let whole = range(tree.root())?;
    let parts = tree.nodes().filter(is_deletable).filter_map(range);
    parts.filter(|part| part.start == line.start && *part != whole).max_by_key(Range::len)
}

fn without(candidate: &Candidate, range: &Range<usize>) -> Candidate {
    let rest = |bytes: &[u8]| [&bytes[..range.start], &bytes[range.end..]].concat();
    candidate.with_files(candidate.files().iter().map(|file| file.with_bytes(rest(file.bytes()))))
}

/// What happened, in a few words.
fn reason(observed: &Observed, is_interesting: bool, input: &Candidate) -> String {
    if is_interesting {
        return "the test still passes: it is not needed".to_owned();
    }
    let ending = observed.observation.ending;
    let (name, bytes) =
        input.files().first().map_or(("".into(), &[][..]), |file| (file.path().to_string_lossy(), file.bytes()));
    match error_line(&observed.observation, bytes, &name) {
        Some(line) => format!("{ending}: {}", shown(&line)),
        None if ending == Ending::Exited(0) => format!("{ending}, no error"),
        None => ending.to_string(),
    }
}

/// The beginning of a pattern for a message, as people read it.
fn shown(pattern: &str) -> String {
    pattern.replace(".*", "…").chars().take(LONGEST_REASON).collect()
}

/// The text with a row of letters below each line, what happens without the part that begins the line, and what the letters
/// mean. The most frequent reason is `a`.
fn page(text: &[u8], tokens: &[(Range<usize>, String)], parts: &[(Range<usize>, String)]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    tokens.iter().for_each(|(_, reason)| *counts.entry(reason).or_default() += 1);
    let mut reasons: Vec<&str> = counts.keys().copied().collect();
    reasons.sort_by_key(|reason| std::cmp::Reverse(counts[reason]));
    let letter = |reason: &str| {
        let place = reasons.iter().position(|known| *known == reason).unwrap_or_default();
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".chars().nth(place).unwrap_or('?')
    };
    let number_of = |at: usize| 1 + text[..at].iter().filter(|byte| **byte == b'\n').count();
    let mut page = String::new();
    let mut start = 0;
    for (number, line) in text.split(|byte| *byte == b'\n').enumerate() {
        let end = start + line.len();
        let shown = String::from_utf8_lossy(line);
        if !shown.trim().is_empty() {
            let mark =
                |at: usize| tokens.iter().find(|(range, _)| range.contains(&at)).map(|(_, reason)| letter(reason));
            let marks: String = shown_columns(line).map(|column| mark(start + column).unwrap_or(' ')).collect();
            page.push_str(&format!("{:>4}  {shown}\n      {}\n", number + 1, marks.trim_end()));
        }
        for (range, reason) in parts.iter().filter(|(range, _)| (start..=end).contains(&range.start)) {
            let last = number_of(range.end.saturating_sub(1));
            let what = if last == number + 1 { "this".to_owned() } else { format!("lines {} to {last}", number + 1) };
            page.push_str(&format!("      without {what}: {reason}\n"));
        }
        start = end + 1;
    }
    page.push('\n');
    reasons.iter().for_each(|reason| page.push_str(&format!("{}  {reason}\n", letter(reason))));
    page
}

/// Where each character of a line begins that takes a column. What is not text takes one each.
fn shown_columns(line: &[u8]) -> impl Iterator<Item = usize> + '_ {
    (0..line.len()).filter(|at| line[*at] & 0xc0 != 0x80)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_letters_below_tokens_and_what_they_mean() {
        let text = b"f(x)\n\n  g\n";
        let of = |range: Range<usize>, reason: &str| (range, reason.to_owned());
        let tokens = [of(0..1, "other"), of(1..2, "syntax"), of(2..3, "syntax"), of(3..4, "syntax"), of(8..9, "none")];
        let parts = [of(0..9, "exit"), of(8..9, "none")];
        let expected = "   1  f(x)\n      caaa\n      without lines 1 to 3: exit\n   3    g\n        b\n      without this: none\n\na  syntax\nb  none\nc  other\n";
        assert_eq!(page(text, &tokens, &parts), expected);
    }

    #[test]
    fn a_part_begins_where_its_line_does_and_is_not_everything() {
        let tree = Tree::generic(b"one (two)\nthree\n".to_vec());
        let lines = lines_of(tree.text());
        assert_eq!(lines, [0..9, 10..15]);
        for line in &lines {
            let part = part_at(&tree, line).unwrap();
            assert!(part.start == line.start && part.end <= line.end, "{part:?}");
        }
    }
}
