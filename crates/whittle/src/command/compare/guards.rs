//! Guards against undefined behaviour in C and C++: a program without a meaning shows no bug of its compiler.
//!
//! A candidate is rejected if gcc or clang warns of what is undefined, if its program fails or prints something else under
//! the address and undefined-behaviour sanitizers, and if a second compiler disagrees without optimization. None of this
//! is a proof.

use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use clap::Args;
use regex::Regex;
use whittle::property::conditions::CommandLine;

/// The compilers that guard. Without the first there are no guards.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub(super) struct Guards {
    /// A compiler with warnings and sanitizers.
    #[arg(long)]
    pub(super) guard: Option<String>,
    /// Another compiler.
    #[arg(long)]
    pub(super) second: Option<String>,
    /// Whether the first has sanitizers that work here.
    #[arg(long)]
    pub(super) sanitizers: bool,
}

/// How a program is built that notices undefined behaviour when it runs.
pub(super) const SANITIZED: [&str; 4] = ["-w", "-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

/// Files of C and of C++, and their compilers.
const KINDS: [(&[&str], [&str; 2]); 2] =
    [(&["c", "i"], ["gcc", "clang"]), (&["cc", "cpp", "cxx", "c++", "C", "ii"], ["g++", "clang++"])];

/// Warnings that say, or suggest, that the program has no defined behaviour.
static SUSPICIOUS: LazyLock<Regex> = LazyLock::new(|| {
    let names = "uninitialized|maybe-uninitialized|return-type|implicit-function-declaration|implicit-int|int-conversion|\
                 incompatible-pointer-types|format=|format-extra-args|format-overflow|array-bounds|stringop|sequence-point|unsequenced|return-local-addr|\
                 return-stack-address|dangling-pointer|dangling-reference|dangling-gsl|main|builtin-declaration-mismatch|nonnull|div-by-zero|division-by-zero|shift-|\
                 strict-aliasing|discarded-qualifiers|zero-length-bounds|aggressive-loop|return-mismatch|\
                 pointer-to-int-cast|int-to-pointer-cast|strict-prototypes|deprecated-non-prototype|sometimes-uninitialized";
    let texts = "data definition has no type|useless type name|makes pointer from|makes integer from";
    Regex::new(&format!(r"\[-W(?:error=)?(?:{names})|{texts}")).expect("a test compiles it")
});

impl Guards {
    /// The compilers for a file that are on the `PATH`.
    pub(super) fn find(input: &Path) -> Self {
        let extension = input.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let Some((_, names)) = KINDS.iter().find(|(extensions, _)| extensions.contains(&extension)) else {
            return Self::default();
        };
        let is_there = |name: &&str| CommandLine::parse(name, Path::new("/")).is_ok();
        let mut found = names.iter().copied().filter(is_there).map(str::to_owned);
        let (guard, second) = (found.next(), found.next());
        let sanitizers = guard.as_ref().is_some_and(|guard| has_sanitizers(guard, extension));
        Self { guard, second, sanitizers }
    }

    /// What a user should know.
    pub(super) fn notice(&self) -> Option<String> {
        let guard = self.guard.as_ref()?;
        let tools = if self.sanitizers { "warnings and sanitizers" } else { "warnings, but no sanitizers," };
        let second = self.second.as_ref().map(|second| format!(", and {second} -O0 must agree with the reference"));
        Some(format!(
            "guards against undefined behaviour: {tools} of {guard}{}; --no-guards turns them off",
            second.unwrap_or_default()
        ))
    }

    /// The options that hand them on.
    pub(super) fn words(&self) -> Vec<String> {
        let options = [("--guard", &self.guard), ("--second", &self.second)];
        let given = options.into_iter().filter_map(|(flag, value)| Some([flag.to_owned(), value.clone()?]));
        given.flatten().chain(self.sanitizers.then(|| "--sanitizers".to_owned())).collect()
    }
}

/// Whether a compiler's sanitizers are installed and can run here.
fn has_sanitizers(compiler: &str, extension: &str) -> bool {
    let Ok(folder) = tempfile::tempdir() else { return false };
    let (source, program) = (folder.path().join(format!("probe.{extension}")), folder.path().join("probe"));
    let runs = |command: &mut Command| command.output().is_ok_and(|output| output.status.success());
    std::fs::write(&source, "int main(void) { return 0; }\n").is_ok()
        && runs(Command::new(compiler).args(SANITIZED).arg(&source).arg("-o").arg(&program))
        && runs(&mut Command::new(&program))
}

/// The first warning of a compiler that suggests undefined behaviour.
pub(super) fn suspicious_line(warnings: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(warnings);
    text.lines().find(|line| SUSPICIOUS.is_match(line)).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_about_meaning_count_and_others_do_not() {
        for text in [
            "a.c:1:5: warning: 'x' is used uninitialized [-Wuninitialized]",
            "a.c:1:5: warning: left shift of negative value [-Wshift-negative-value]",
            "a.c:1:1: warning: data definition has no type or storage class",
        ] {
            assert!(suspicious_line(text.as_bytes()).is_some(), "{text}");
        }
        for text in ["", "x: unused variable 'x' [-Wunused-variable]", "x: add braces [-Wdangling-else]"] {
            assert!(suspicious_line(text.as_bytes()).is_none(), "{text}");
        }
    }

    #[test]
    fn guards_are_for_c_and_its_relatives() {
        assert_eq!(Guards::find(Path::new("a.smt2")), Guards::default());
        let words = Guards { guard: Some("gcc".into()), second: None, sanitizers: true }.words();
        assert_eq!(words, ["--guard", "gcc", "--sanitizers"]);
    }
}
