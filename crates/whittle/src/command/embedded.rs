//! The options of the command line for programs that contain Whittle: the same words, the same checks, any property.
//!
//! What a user can choose is defined once, by the command line. A host writes it as words, such as `--effort max`, and gets
//! a [`Reduction`] to add listeners and an interrupter to.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Parser;
use whittle::property::CommandTest;
use whittle::search::Property;
use whittle::{Input, Reduction, ReductionError};

use super::args::RunArgs;
use super::explain::explained;
use super::plan::Plan;
use super::print::STANDARD;
use super::subject::{Subject, Test};
use super::test_args::{ProjectArgs, TestArgs, TestOptions};

/// A reduction as a host asks for it.
#[derive(Debug, Parser)]
#[command(no_binary_name = true)]
struct Words {
    /// The test, an executable, as the command line's first argument
    #[arg(long, value_name = "FILE", conflicts_with_all = ["run", "server"])]
    script: Option<PathBuf>,

    #[command(flatten)]
    test: TestOptions,

    /// Write the best result to FILE whenever it improves
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Replace whatever is at the result's path
    #[arg(long, requires = "output")]
    force: bool,

    #[command(flatten)]
    how: RunArgs,
}

/// What decides whether a candidate is interesting.
#[derive(Clone)]
pub enum Judge {
    /// The command in the words.
    Command,
    /// A property of the host. Its verdicts are kept for a resumed run only if it has a name.
    Property(Arc<dyn Property>, Option<String>),
}

/// Options that were checked, for one input.
pub struct Prepared {
    plan: Plan,
    judge: Judge,
}

impl Prepared {
    /// Checks the words. The error is a message for users, whose first line says what is wrong.
    pub fn new(input: Input, judge: Judge, words: &[OsString]) -> Result<Self, String> {
        let words = Words::try_parse_from(words).map_err(|error| message_of(&error))?;
        let keeps_verdicts = words.output.is_some() && !matches!(judge, Judge::Property(_, None));
        if words.how.resume && !keeps_verdicts {
            return Err("--resume needs --output, and an identity if the test is a function".into());
        }
        let path = input.candidate().files().first().map(|file| file.path().to_owned()).unwrap_or_default();
        let test = match &judge {
            Judge::Property(..) => Test::none(words.test.repeat),
            Judge::Command => {
                let project = ProjectArgs::default();
                let (first, rest) = match words.script {
                    Some(script) => (script, vec![path.clone()]),
                    None => (path.clone(), Vec::new()),
                };
                let test = TestArgs { first, rest, name: None, project, options: words.test };
                Test::resolve(test, "an input").map_err(|error| format!("{error:#}"))?.0
            }
        };
        let output = words.output.clone().unwrap_or_else(|| STANDARD.into());
        let subject = Subject { input, path, test: Arc::new(test) };
        let plan = Plan::about(subject, output, words.how).map_err(|error| format!("{error:#}"))?;
        Ok(Self { plan: Plan { force: words.force, ..plan }, judge })
    }

    /// How many tests run at once.
    pub fn jobs(&self) -> usize {
        self.plan.jobs
    }

    /// The language by which the input is reduced, if it has one.
    pub fn language(&self) -> Option<String> {
        self.plan.syntaxes.first_language().map(|chosen| chosen.language.name().to_owned())
    }

    /// What the user should know about the language and the options.
    pub fn notices(&self) -> &[String] {
        &self.plan.notices
    }

    /// The reduction, ready to run.
    pub fn reduction(&self) -> Result<Reduction, String> {
        let input = self.plan.subject.input.clone();
        match &self.judge {
            Judge::Command => {
                let test: Arc<CommandTest> =
                    self.plan.subject.start_test(self.plan.jobs).map_err(|error| format!("{error:#}"))?;
                Ok(self.plan.reduction(&test))
            }
            Judge::Property(property, identity) => {
                let reduction = self.plan.set_up(Reduction::by_property(input, Arc::clone(property)));
                Ok(match identity {
                    Some(identity) => reduction.identity(identity),
                    None => reduction.without_journal(),
                })
            }
        }
    }

    /// What to say to a user about an error of the reduction.
    pub fn explain(&self, error: ReductionError) -> String {
        match (&self.judge, error) {
            (Judge::Property(..), error @ ReductionError::NotInteresting(_)) => error.to_string(),
            (_, error) => format!("{:#}", explained(error, &self.plan.subject)),
        }
    }
}

/// What is wrong, without the usage of a program that the user does not run.
fn message_of(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let message = text.split("\n\nUsage:").next().unwrap_or(&text).split("\n\nFor more information").next();
    message.unwrap_or(&text).trim_start_matches("error: ").trim().to_owned()
}
