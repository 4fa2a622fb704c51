//! The journal of a run: where it is, what it is bound to, and what it hands to the run that resumes it.

use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use whittle::property::Constants;
use whittle::search::{Fingerprint, Journal, ResumeError, Verdict};

use super::exit::Refusal;
use super::plan::{JOURNAL, Plan};
use super::preflight::Preflight;

/// The journal's name for how many bytes are parsed before they are tested.
const CHECK_UP_TO: &str = "check-up-to=";

/// What an earlier run left.
pub(crate) struct Resumed {
    pub(crate) journal: Arc<Journal>,
    pub(crate) preflight: Preflight,
}

/// Starts the journal of a new run. None is kept for `--in-place`: the input that it would be about is written over.
pub(crate) fn start(plan: &Plan, preflight: &Preflight) -> Result<Option<Arc<Journal>>> {
    if plan.in_place {
        return Ok(None);
    }
    let path = plan.beside_output(JOURNAL);
    let constants = format!("{} {CHECK_UP_TO}{}", preflight.constants, preflight.check_up_to);
    let journal = Journal::create(&path, &plan.subject.binding(), &constants).map_err(|error| {
        if error.kind() == ErrorKind::ResourceBusy {
            return busy(plan);
        }
        let problem = format!("the result cannot be written to {}: {error}", plan.output.display());
        Refusal::new(problem, "Check the folder, or choose another place with --output.")
    })?;
    preflight.known.iter().for_each(|&(fingerprint, verdict)| journal.append(fingerprint, verdict));
    Ok(Some(Arc::new(journal)))
}

/// Takes up the journal of an earlier run; `None` if there is none.
pub(crate) fn resume(plan: &Plan) -> Result<Option<Resumed>> {
    let path = plan.beside_output(JOURNAL);
    let binding = plan.subject.binding();
    let (journal, replay) = match Journal::resume(&path, &binding) {
        Ok(resumed) => resumed,
        Err(ResumeError::Missing) => return Ok(None),
        Err(ResumeError::OtherBinding { found }) => return Err(differs(&path, &found, &binding).into()),
        Err(error @ ResumeError::Foreign) => {
            let problem = format!("--resume: {}: {error}", path.display());
            return Err(Refusal::new(problem, "Move it away, or run without --resume to start afresh.").into());
        }
        Err(ResumeError::Io(error)) if error.kind() == ErrorKind::ResourceBusy => return Err(busy(plan).into()),
        Err(ResumeError::Io(error)) => return Err(error).context(format!("cannot read {}", path.display())),
    };
    let constants: Constants = replay.constants.parse().context("the journal's constants cannot be read")?;
    let check_up_to = replay.constants.split(' ').find_map(|part| part.strip_prefix(CHECK_UP_TO));
    let check_up_to = check_up_to.and_then(|bytes| bytes.parse().ok()).unwrap_or_default();
    let known: Vec<(Fingerprint, Verdict)> = replay.verdicts;
    let preflight = Preflight { constants, known, check_up_to, accepts_trifles: false };
    Ok(Some(Resumed { journal: Arc::new(journal), preflight }))
}

fn busy(plan: &Plan) -> Refusal {
    let problem = format!("another run of Whittle is writing {}", plan.output.display());
    Refusal::new(problem, "Wait for its end, or choose another place with --output.")
}

fn differs(path: &Path, found: &str, wanted: &str) -> Refusal {
    let name = |part: &str| part.split('=').next().unwrap_or_default().to_owned();
    let parts: Vec<String> = wanted.split(' ').filter(|part| !found.contains(part)).map(name).collect();
    let problem = format!("--resume: {} belongs to a run with another {}", path.display(), parts.join(" and "));
    Refusal::new(problem, "Run with what it was started with, or without --resume to start afresh.")
}
