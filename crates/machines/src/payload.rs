//! What every worker gets before its first test: the property, the files it uses, and what is known about it.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use whittle_property::Invocation;
use whittle_search::{Candidate, Verdict};

use crate::fleet::{Basis, Machines};
use crate::frames::{Digest, MAX_FILES_BYTES, Spec, SpecFile, digest, encode};

/// What travels to each worker, by digest.
#[derive(Debug)]
pub(crate) struct Payload {
    pub(crate) spec: Digest,
    contents: HashMap<Digest, Vec<u8>>,
    /// Verdicts that a worker must give too.
    pub(crate) known: Vec<(Candidate, Verdict)>,
    /// Workers that are not wanted any more.
    banned: Mutex<HashSet<String>>,
}

impl Payload {
    /// Reads the files that the property uses.
    pub(crate) fn pack(machines: &Machines, basis: &Basis) -> io::Result<Self> {
        let property = &basis.local;
        let command = property.command_test().command();
        let mut contents = HashMap::new();
        let script = match &command.criteria.command {
            Invocation::Script(path) => Some(path),
            Invocation::Line(_) | Invocation::Server(..) => None,
        };
        let mut paths = HashSet::new();
        let mut names = HashSet::new();
        let mut files = Vec::new();
        let mut room = MAX_FILES_BYTES;
        for path in script.into_iter().chain(&machines.files) {
            if !paths.insert(path) {
                continue;
            }
            room = room.checked_sub(fs::metadata(path).map_or(0, |metadata| metadata.len())).ok_or_else(|| {
                let problem = format!("the files that workers get have more than {MAX_FILES_BYTES} bytes");
                io::Error::new(io::ErrorKind::InvalidInput, problem)
            })?;
            if !names.insert(path.file_name()) {
                let problem = format!("{} has the name of another file that workers get", path.display());
                return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
            }
            files.push(pack_file(path, &mut contents)?);
        }
        let variable = |name: &String| {
            let missing = || io::Error::new(io::ErrorKind::InvalidInput, format!("the variable {name} is not set"));
            Ok((name.into(), std::env::var_os(name).ok_or_else(missing)?))
        };
        let spec = encode(&Spec {
            criteria: command.criteria.clone(),
            timeout: property.timeout(),
            signature: property.signature().map(<[u8]>::to_vec),
            memory_limit: command.memory_limit,
            warm: command.warm.clone(),
            files,
            environment: machines.environment.iter().map(variable).collect::<io::Result<_>>()?,
            bytes: basis.input.byte_count(),
        });
        let name = digest(&spec);
        contents.insert(name, spec);
        Ok(Self { spec: name, contents, known: basis.known.clone(), banned: Mutex::default() })
    }

    pub(crate) fn content(&self, name: Digest) -> Option<&Vec<u8>> {
        self.contents.get(&name)
    }

    /// Does without a worker from now on.
    pub(crate) fn ban(&self, worker: &str) {
        self.banned.lock().unwrap_or_else(PoisonError::into_inner).insert(worker.to_owned());
    }

    /// The workers that are not wanted any more.
    pub(crate) fn banned(&self) -> Vec<String> {
        self.banned.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    pub(crate) fn is_banned(&self, worker: &str) -> bool {
        self.banned.lock().unwrap_or_else(PoisonError::into_inner).contains(worker)
    }
}

fn pack_file(path: &Path, contents: &mut HashMap<Digest, Vec<u8>>) -> io::Result<SpecFile> {
    let read = || Ok((fs::read(path)?, fs::metadata(path)?.permissions().mode() & 0o111 != 0));
    let (bytes, executable) =
        read().map_err(|error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))?;
    let content = digest(&bytes);
    contents.insert(content, bytes);
    Ok(SpecFile { path: path.into(), executable, content })
}
