//! What benches reduce: the folders of `bench/subjects`, the examples, and files from packages with a seeded bug.
//!
//! A file from a package has three *needles*: names in it, drawn at random with a fixed seed, each with the labels of the
//! four nodes around it. It is interesting if its tool accepts it (`tcc`, or `xmllint`) and each needle still stands
//! within nodes of those labels. So what is needed is spread over the file, and comes with what it needs to compile.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result};
use nix::sys::resource::{UsageWho, getrusage};
use serde::Deserialize;
use whittle::languages::Language;
use whittle::search::{Cancel, Candidate, Fingerprint, Property, TestError, Tested, Verdict};
use whittle::syntaxes::syntax;
use whittle::trees::gtr::{Labeled, Labeler};
use whittle::trees::{Kind, NodeId, Syntax, Tree};

/// How many needles a file has, and how many labels around each must stay. With fewer, results are too small to differ.
const NEEDLES: usize = 3;
const LABELS: usize = 4;
const SEED: u64 = 2024;

/// The subject on which `cargo test` sees that a bench runs: it needs only Python.
pub(crate) const SMOKE_SUBJECT: &str = "css-merge";

/// Something to reduce.
pub(crate) struct Subject {
    pub(crate) name: String,
    pub(crate) group: Group,
    pub(crate) input: Candidate,
    bug: Bug,
}

/// Subjects whose figures are summed up together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    C,
    Xml,
    Other,
}

enum Bug {
    /// A script beside the input, or a Python script, which stays loaded.
    Script(PathBuf),
    /// A tool that must accept the file, and the needles in it.
    Seeded { tool: &'static [&'static str], syntax: Syntax, needles: Vec<Needle> },
}

/// A name, and the labels of the nodes around it, innermost first.
struct Needle {
    text: Vec<u8>,
    labels: Vec<String>,
}

#[derive(Deserialize)]
struct Meta {
    language: Option<String>,
    input: String,
}

impl Subject {
    /// Those of `bench/subjects`, then the files in `packages`, by name.
    pub(crate) fn bench(packages: Option<&Path>) -> Result<Vec<Self>> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/subjects").canonicalize()?;
        let mut subjects: Vec<Self> =
            entries(&folder)?.iter().map(|folder| Self::of_folder(folder)).collect::<Result<_>>()?;
        if let Some(packages) = packages {
            for file in entries(&packages.join("subjects"))? {
                subjects.push(Self::of_file(&file).with_context(|| format!("{}", file.display()))?);
            }
        }
        Ok(subjects)
    }

    fn of_folder(folder: &Path) -> Result<Self> {
        let meta: Meta = toml::from_str(&std::fs::read_to_string(folder.join("meta.toml"))?)?;
        let input = Candidate::single(&meta.input, std::fs::read(folder.join(&meta.input))?);
        let group = match meta.language.as_deref() {
            Some("c" | "cpp") => Group::C,
            Some("xml" | "html") => Group::Xml,
            _ => Group::Other,
        };
        let check = folder.join("check.py");
        let bug = Bug::Script(if check.exists() { check } else { folder.join("test.sh") });
        Ok(Self { name: name_of(folder), group, input, bug })
    }

    fn of_file(file: &Path) -> Result<Self> {
        let (group, language, tool): (_, _, &[&str]) = if file.extension().is_some_and(|extension| extension == "c") {
            // tcc deletes its output file before it writes, so it must not get /dev/null.
            (Group::C, "c", &["tcc", "-w", "-c", "-o", "out.o"])
        } else {
            (Group::Xml, "xml", &["xmllint", "--noout", "--nonet"])
        };
        let text = std::fs::read(file)?;
        let syntax = syntax(Language::by_name(language).context("its language is not built in")?)?;
        let needles = needles(&syntax, &text);
        let name = name_of(file);
        Ok(Self { input: Candidate::single(&name, text), name, group, bug: Bug::Seeded { tool, syntax, needles } })
    }

    /// Its property, which counts what it costs.
    pub(crate) fn property(self) -> Result<Priced> {
        let warm = match &self.bug {
            Bug::Script(test) if test.extension().is_some_and(|extension| extension == "py") => {
                Some(Warm::start(test)?)
            }
            Bug::Script(_) | Bug::Seeded { .. } => None,
        };
        Ok(Priced { subject: self, warm: warm.map(Mutex::new), known: Mutex::default(), spent: Mutex::default() })
    }
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("{}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    paths.sort();
    Ok(paths)
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// A property that is asked once per content, and knows what it has cost.
pub(crate) struct Priced {
    subject: Subject,
    warm: Option<Mutex<Warm>>,
    known: Mutex<HashMap<Fingerprint, (Verdict, Duration)>>,
    spent: Mutex<Duration>,
}

impl Priced {
    /// The processor time of all tests since the last call, each as if it had run.
    pub(crate) fn take_spent(&self) -> Duration {
        std::mem::take(&mut self.spent.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn run(&self, candidate: &Candidate) -> Result<(Verdict, Duration)> {
        let folder = tempfile::tempdir()?;
        let file = &candidate.files()[0];
        std::fs::write(folder.path().join(file.path()), file.bytes())?;
        if let Some(warm) = &self.warm {
            return warm.lock().unwrap_or_else(PoisonError::into_inner).run(folder.path());
        }
        let mut command = match &self.subject.bug {
            Bug::Script(test) => Command::new(test),
            Bug::Seeded { tool, .. } => {
                let mut command = Command::new(tool[0]);
                command.args(&tool[1..]).arg(file.path());
                command
            }
        };
        command.current_dir(&folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let before = children_time()?;
        let accepted = command.status()?.success();
        let spent = children_time()? - before;
        let interesting = accepted
            && match &self.subject.bug {
                Bug::Script(_) => true,
                Bug::Seeded { syntax, needles, .. } => has_all(syntax, needles, file.bytes()),
            };
        Ok((if interesting { Verdict::Interesting } else { Verdict::Uninteresting }, spent))
    }
}

impl Property for Priced {
    fn test(&self, candidate: &Candidate, _: &Cancel) -> Result<Tested, TestError> {
        let fingerprint = candidate.fingerprint();
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let (verdict, elapsed) = match known.get(&fingerprint) {
            Some(&answer) => answer,
            None => {
                let answer = self.run(candidate).map_err(|error| TestError::Failed(error.to_string()))?;
                known.insert(fingerprint, answer);
                answer
            }
        };
        *self.spent.lock().unwrap_or_else(PoisonError::into_inner) += elapsed;
        Ok(Tested { verdict, elapsed })
    }
}

/// The processor time of all processes that have ended.
fn children_time() -> Result<Duration> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let micros = |time: nix::sys::time::TimeVal| (time.tv_sec() * 1_000_000 + time.tv_usec()) as u64;
    Ok(Duration::from_micros(micros(usage.user_time()) + micros(usage.system_time())))
}

/// A Python script that stays loaded.
struct Warm {
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Warm {
    fn start(check: &Path) -> Result<Self> {
        let python = std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
        let server = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/shared/warm.py");
        let mut command = Command::new(python);
        command.args(["-I", "-S"]).arg(server).arg(check).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn()?;
        let to = process.stdin.take().context("no input")?;
        let from = BufReader::new(process.stdout.take().context("no output")?);
        Ok(Self { process, to, from })
    }

    fn run(&mut self, folder: &Path) -> Result<(Verdict, Duration)> {
        writeln!(self.to, "{}", folder.display())?;
        let mut answer = String::new();
        self.from.read_line(&mut answer)?;
        let (status, micros) = answer.trim().split_once(' ').context("the script's process has ended")?;
        let verdict = if status == "0" { Verdict::Interesting } else { Verdict::Uninteresting };
        Ok((verdict, Duration::from_micros(micros.parse()?)))
    }
}

impl Drop for Warm {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Names that are deep in a text, drawn with a fixed seed.
fn needles(syntax: &Syntax, text: &[u8]) -> Vec<Needle> {
    let tree = syntax.tree(text);
    let labels = Labeler::default().label(&tree);
    let is_name = |text: &[u8]| text.len() > 2 && text.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let found =
        tree.nodes().filter(|&node| matches!(tree.kind(node), Kind::Token { .. }) && is_name(tree.token_text(node)));
    let mut names: Vec<(NodeId, Vec<String>)> = found.map(|node| (node, above(&tree, &labels, node))).collect();
    // Two more labels than must stay: not what is at the outermost levels.
    names.retain(|(_, labels)| labels.len() > LABELS + 2);
    let mut random = fastrand::Rng::with_seed(SEED);
    random.shuffle(&mut names);
    let needle = |(node, mut labels): (NodeId, Vec<String>)| {
        labels.truncate(LABELS);
        Needle { text: tree.token_text(node).to_vec(), labels }
    };
    names.into_iter().take(NEEDLES).map(needle).collect()
}

/// The labels around a node, innermost first.
fn above(tree: &Tree, labels: &Labeled, node: NodeId) -> Vec<String> {
    let nodes = std::iter::successors(Some(node), |&node| tree.parent(node));
    nodes.filter_map(|node| labels.label(node)).map(|label| label.to_string()).collect()
}

/// Whether each needle stands within nodes of its labels, others between them or not.
fn has_all(syntax: &Syntax, needles: &[Needle], text: &[u8]) -> bool {
    let tree = syntax.tree(text);
    let labels = Labeler::default().label(&tree);
    let holds = |needle: &Needle| {
        let mut found = tree
            .nodes()
            .filter(|&node| matches!(tree.kind(node), Kind::Token { .. }) && tree.token_text(node) == needle.text);
        found.any(|node| {
            let mut wanted = needle.labels.iter().peekable();
            for label in above(&tree, &labels, node) {
                wanted.next_if(|wanted| **wanted == label);
            }
            wanted.peek().is_none()
        })
    };
    needles.iter().all(holds)
}
