//! What `whittle dedup` has to do: the inputs of the folder, and how each is reduced.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use whittle::property::Target;
use whittle::property::conditions::Signature;
use whittle::search::Candidate;

use super::args::DedupArgs;
use super::farm;
use super::record::fingerprint;
use crate::command::args::RunArgs;
use crate::command::exit::Refusal;
use crate::command::limits::{Jobs, Limits};
use crate::command::plan::{Plan, is_same_file};
use crate::command::subject::{Subject, Test, read_input, read_project};
use crate::command::test_args::{ProjectArgs, TestArgs};

/// All that is to be done.
pub(crate) struct Job {
    pub(crate) test: Arc<Test>,
    pub(crate) inputs: Vec<File>,
    /// What inputs are called in tests, if not by their own names.
    name: Option<OsString>,
    /// The fingerprint of the model that was given, or of nothing. Whether it can be used is found out for each input.
    model: String,
    pub(crate) output: PathBuf,
    /// How each input is reduced.
    run: RunArgs,
    pub(crate) jobs: usize,
    pub(crate) quiet: bool,
    pub(crate) json: Option<PathBuf>,
}

/// A file of the folder.
pub(crate) struct File {
    pub(crate) path: PathBuf,
    pub(crate) name: OsString,
    pub(crate) bytes: u64,
}

impl Job {
    /// Checks the arguments and lists the folder.
    pub(crate) fn resolve(args: DedupArgs) -> Result<Self> {
        let rest = args.second.into_iter().collect();
        let project = ProjectArgs::default();
        let mut options = args.options;
        if options.run.is_some() && !options.has_conditions() {
            // Nobody collects inputs on which a command does well: these crash it.
            options.signature = Some(Signature::STACK);
        }
        let test = TestArgs { first: args.first, rest, name: None, project, options };
        let (mut test, mut folders) = Test::resolve(test, "a FOLDER")?;
        let folder = folders.swap_remove(0);
        let (inputs, are_projects) = list(&folder)?;
        if are_projects {
            if args.name.is_some() {
                let problem = format!("--name is for files, and the inputs in {} are folders", folder.display());
                return Err(Refusal::new(problem, "Leave out --name.").into());
            }
            test.command.criteria.target = Target::Folder;
        }
        if inputs.is_empty() {
            let problem = format!("there is no file in {}", folder.display());
            return Err(Refusal::new(problem, "FOLDER holds one file for each input; hidden ones are left out.").into());
        }
        if let Some(json) = &args.json
            && let Some(input) = inputs.iter().find(|input| is_same_file(json, &input.path))
        {
            let problem = format!("--json would overwrite {}", input.path.display());
            return Err(Refusal::new(problem, "Choose another place with --json.").into());
        }
        let model = args.how.model.as_ref().and_then(|path| fs::read(path).ok()).unwrap_or_default();
        Ok(Self {
            test: Arc::new(test),
            model: fingerprint(&model),
            jobs: args.limits.jobs.count(),
            inputs,
            name: args.name.map(|name| resolve_name(&name)).transpose()?,
            output: args.output.map_or_else(|| beside(&folder), Ok)?,
            run: RunArgs {
                resume: true,
                cvise_jobs: None,
                limits: Limits { jobs: Jobs::ONE, ..args.limits },
                how: args.how,
                quiet: true,
                verbose: false,
                live: false,
                json: None,
                report: None,
            },
            quiet: args.quiet,
            json: args.json,
        })
    }

    /// How one input is reduced to `output`.
    pub(crate) fn plan(&self, input: &File, output: PathBuf) -> Result<Plan> {
        let mut read = match input.path.is_dir() {
            true => read_project(&input.path, &ProjectArgs::default())?,
            false => read_input(&input.path)?,
        };
        if let Some(name) = &self.name {
            let renamed = Candidate::single(name, read.candidate().files()[0].bytes().to_vec());
            read = read.with_candidate(renamed);
        }
        let subject = Subject { input: read, path: input.path.clone(), test: Arc::clone(&self.test) };
        // Results that are compared must not depend on measured times.
        Ok(Plan { check_up_to: Some(usize::MAX), ..Plan::about(subject, output, self.run.clone())? })
    }

    /// What a result is good for: the input, the test, and everything that decides what becomes of it.
    pub(crate) fn binding(&self, plan: &Plan) -> String {
        let RunArgs { how, limits, .. } = &self.run;
        let options = format!("{how:?} {limits:?} {} {}", self.model, env!("CARGO_PKG_VERSION"));
        format!("{} algorithm={}", plan.subject.binding(plan.well_formed), fingerprint(options.as_bytes()))
    }

    /// What an input is called in tests, which is called `own` elsewhere.
    pub(crate) fn name_of(&self, own: &str) -> PathBuf {
        self.name.as_ref().map_or_else(|| own.into(), PathBuf::from)
    }

    /// How the names of files about an input end.
    pub(crate) fn extension(&self, input: &File) -> Option<OsString> {
        let name = Path::new(self.name.as_ref().unwrap_or(&input.name));
        name.extension().map(OsStr::to_owned)
    }
}

/// The regular files of a folder, by name; or its subfolders if it has no files, and `true`.
fn list(folder: &Path) -> Result<(Vec<File>, bool)> {
    let refuse = |error: std::io::Error| {
        let problem = format!("the folder {} cannot be listed: {error}", folder.display());
        Refusal::new(problem, "TEST comes first, then FOLDER, which holds one file for each input.")
    };
    let (mut files, mut projects) = (Vec::new(), Vec::new());
    let mut is_farm = false;
    for entry in fs::read_dir(folder).map_err(refuse)? {
        let entry = entry.map_err(refuse)?;
        let (path, name) = (entry.path(), entry.file_name());
        if name.as_encoded_bytes().starts_with(b".") {
            continue;
        }
        let metadata = fs::metadata(&path);
        if name.to_str().is_some_and(farm::is_crash) {
            is_farm = true;
        }
        if metadata.as_ref().is_ok_and(|metadata| metadata.is_dir()) {
            projects.push(File { path, name, bytes: 0 });
        } else if metadata.as_ref().map_or(true, |metadata| metadata.is_file()) {
            // A link that leads nowhere is an input that fails.
            let bytes = metadata.map_or(0, |metadata| metadata.len());
            files.push(File { path, name, bytes });
        }
    }
    if is_farm {
        files.retain(|file: &File| !file.name.to_str().is_some_and(farm::is_note));
    } else {
        let below = farm::below(folder);
        if !below.is_empty() {
            let file = |(path, name): (PathBuf, OsString)| {
                let bytes = fs::metadata(&path).map_or(0, |metadata| metadata.len());
                File { path, name, bytes }
            };
            files = below.into_iter().map(file).collect();
        }
    }
    let are_projects = files.is_empty() && !projects.is_empty();
    let mut inputs = if are_projects { projects } else { files };
    inputs.sort_by(|a, b| a.name.cmp(&b.name));
    Ok((inputs, are_projects))
}

fn resolve_name(name: &Path) -> Result<OsString> {
    match name.file_name() {
        Some(file) if Path::new(file) == name => Ok(file.to_owned()),
        _ => {
            let problem = format!("--name {} is not the name of a file", name.display());
            Err(Refusal::new(problem, "Write it without a folder, as in bug.c.").into())
        }
    }
}

/// `crashes.dedup` beside `crashes`, also if that is called `.`.
fn beside(folder: &Path) -> Result<PathBuf> {
    let folder = match folder.file_name() {
        Some(_) => folder.to_owned(),
        None => fs::canonicalize(folder).context("cannot resolve the path of the folder")?,
    };
    let mut name = folder.file_name().unwrap_or_default().to_owned();
    name.push(".dedup");
    Ok(folder.with_file_name(name))
}
