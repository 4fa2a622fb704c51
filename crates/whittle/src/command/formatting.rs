//! `--format`: the result as a formatter lays it out, kept only if it is still interesting.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, bail};
use whittle::property::conditions::Ending;
use whittle::property::{CommandTest, DEFAULT_OUTPUT_LIMIT, Survey, TestCommand};
use whittle::reduction::Outcome;
use whittle::search::{Cancel, Candidate};

use super::shell::shell_words;

/// A formatter that takes longer for a reduced file hangs.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// Runs where the user is; `$0` is that folder, and `$1` the file. Formatters print the new text, or change the file. Those
/// that did neither have nothing to change.
const SCRIPT: &str = r#"here=$PWD file=$PWD/$1; cp "$file" .before && { cd "$0" && FORMAT
} > .printed && if cmp -s "$file" "$here/.before" && [ -s "$here/.printed" ]; then cat "$here/.printed"; else cat "$file"; fi"#;

/// Lays out the result by a shell command in which `{}` is the file. Fails if the new text is not interesting, or if there is
/// none.
pub(crate) fn formatted(
    command: &str,
    outcome: &Outcome,
    test: &Arc<CommandTest>,
    cancel: &Cancel,
) -> Result<Candidate> {
    let best = &outcome.best.candidate;
    let result = best.with_bytes(0, lay_out(command, best, cancel)?);
    if result == *best {
        return Ok(result);
    }
    let survey = Survey::take(test, &result, 1, 1, cancel)?;
    if let Some(objection) = survey.objection {
        bail!("the formatted result is not interesting: {objection}");
    }
    if survey.signature != outcome.signature {
        bail!("the formatted result shows another bug");
    }
    Ok(result)
}

fn lay_out(command: &str, best: &Candidate, cancel: &Cancel) -> Result<Vec<u8>> {
    let command = if command.contains("{}") { command.to_owned() } else { format!("{command} {{}}") };
    let script = SCRIPT.replace("FORMAT", &command.replace("{}", r#""$file""#));
    let words = ["sh", "-c", &script, "{cwd}", "{}"].map(str::to_owned);
    let mut line = TestCommand::line(&shell_words(&words))?;
    line.criteria.output_limit = Some(DEFAULT_OUTPUT_LIMIT);
    let observation = line.start(best.byte_count(), 1)?.observe(best, TIME_LIMIT, cancel)?.observation;
    match observation.ending {
        Ending::Exited(0) if observation.stdout.is_empty() => bail!("the formatter printed nothing"),
        Ending::Exited(0) => Ok(observation.stdout),
        ending => bail!("the formatter failed: {ending}\n{}", String::from_utf8_lossy(&observation.stderr).trim_end()),
    }
}
