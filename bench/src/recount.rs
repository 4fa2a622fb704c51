//! `recount`: the sizes of results that are files, counted like those of a run.
//!
//! So results that another program or an earlier version left are compared by one counter.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::args::RecountArgs;
use crate::print::answer;
use crate::property::{self, Places};
use crate::size::Size;
use crate::subject::{self, Subject};
use crate::table::markdown;

/// The name of a result's file.
pub(crate) fn name_of(subject: &str, reducer: &str, input: &str) -> String {
    format!("{subject}.{}.{input}", reducer.replace(['/', '.'], "-"))
}

/// The subject and the reducer of a result's file.
fn parts<'a, 'b>(name: &'a str, subjects: &'b [Subject]) -> Option<(&'b Subject, &'a str)> {
    subjects.iter().find_map(|subject| {
        let rest = name.strip_prefix(&format!("{}.", subject.name))?;
        Some((subject, rest.strip_suffix(&format!(".{}", subject.input))?))
    })
}

/// Prints one row per file.
pub(crate) fn run(args: &RecountArgs) -> Result<()> {
    let mut folders = vec![subject::own_folder()];
    folders.extend(args.subjects.iter().cloned());
    let subjects = subject::load_all(&folders)?;
    let context = || args.results.display().to_string();
    let mut files: Vec<_> = fs::read_dir(&args.results).with_context(context)?.collect::<Result<_, _>>()?;
    files.sort_by_key(fs::DirEntry::file_name);
    let head = ["subject", "input tokens", "reducer", "tokens", "non-blank bytes", "interesting"];
    let mut rows = vec![head.map(String::from).to_vec()];
    for file in files {
        let name = file.file_name().to_string_lossy().into_owned();
        let Some((subject, reducer)) = parts(&name, &subjects) else {
            bail!("{name} is not named SUBJECT.REDUCER.FILE, or its subject is not known; see --subjects");
        };
        let text = fs::read(file.path())?;
        let size = Size::of(&text, subject.language);
        let is_interesting = if check(subject, &text)? { "yes" } else { "no" };
        rows.push(vec![
            subject.name.clone(),
            subject.size.tokens.to_string(),
            reducer.to_owned(),
            size.tokens.to_string(),
            size.non_blank.to_string(),
            is_interesting.to_owned(),
        ]);
    }
    Ok(answer(&markdown(&rows))?)
}

/// Whether the subject's own test finds a text interesting.
fn check(subject: &Subject, text: &[u8]) -> Result<bool> {
    let folder = tempfile::tempdir()?;
    let places = Places::new(folder.path());
    std::os::unix::fs::symlink(Path::new(&subject.folder), places.subject())?;
    fs::create_dir(places.temporary())?;
    property::check(&places, &subject.input, text)
}
