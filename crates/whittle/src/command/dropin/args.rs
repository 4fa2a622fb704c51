//! The command lines of C-Vise and C-Reduce.
//!
//! Every option of C-Vise up to 2.12 and of C-Reduce up to 2.11 is accepted. Those that have no effect here are in
//! [`CviseArgs::without_effect`], so that the user hears of them.

use std::path::PathBuf;

use clap::{ArgAction, Args};

/// Shrink files in place, with the command line of C-Vise or C-Reduce
///
/// For scripts and CI jobs that call C-Vise or C-Reduce: they work unchanged with whittle cvise, or with a link to whittle
/// whose name is cvise or creduce. As there, the test runs without arguments in a folder that holds only the files, the
/// files are replaced by their reduced versions, and the originals are kept as FILE.orig.
///
/// In scripts of your own, whittle reduce has more to offer; docs/migrating.md lists the options side by side.
#[derive(Debug, Args)]
#[command(
    infer_long_args = true,
    disable_version_flag = true,
    after_long_help = EXIT,
    override_usage = "whittle cvise [OPTIONS] <TEST> <FILE>...\n       whittle cvise [OPTIONS] --commands <COMMANDS> <FILE>..."
)]
pub(crate) struct CviseArgs {
    /// The test, unless --commands is given; then the files to reduce
    #[arg(value_name = "TEST FILE", required_unless_present_any = ["version", "list_passes"])]
    pub(super) paths: Vec<PathBuf>,

    /// Test with these shell commands instead of TEST
    #[arg(short, long, value_name = "COMMANDS", allow_hyphen_values = true)]
    pub(super) commands: Option<String>,

    /// The shell for --commands
    #[arg(long, default_value = "bash")]
    pub(super) shell: String,

    /// How many tests to run in parallel [default: the number of cores]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) n: Option<u16>,

    /// Keep no copies of the originals
    #[arg(long)]
    pub(super) tidy: bool,

    /// Kill a test that takes longer, in seconds; without a number, no test is killed [default: ten times the first run,
    /// at least 2]
    #[arg(long, value_name = "SECONDS", num_args = 0..=1)]
    pub(super) timeout: Option<Option<u32>>,

    /// The files are not C or C++, whatever their names say
    #[arg(long)]
    pub(super) not_c: bool,

    /// Try harder: --effort max
    #[arg(long)]
    pub(super) sllooww: bool,

    /// Print every pass and every test
    #[arg(long)]
    pub(super) debug: bool,

    /// DEBUG prints every test, WARNING and ERROR only errors
    #[arg(long, value_name = "LEVEL", ignore_case = true, value_parser = ["INFO", "DEBUG", "WARNING", "ERROR"])]
    pub(super) log_level: Option<String>,

    /// Append messages to FILE instead of printing them
    #[arg(long, value_name = "FILE")]
    pub(super) log_file: Option<PathBuf>,

    /// Say which passes there are
    #[arg(long)]
    pub(super) list_passes: bool,

    /// Print the version
    #[arg(long)]
    pub(super) version: bool,

    #[command(flatten)]
    idle: IdleArgs,
}

/// Options that have no effect here.
#[derive(Debug, Args)]
struct IdleArgs {
    #[arg(long, hide = true)]
    shaddap: bool,
    #[arg(long, hide = true)]
    die_on_pass_bug: bool,
    #[arg(long, hide = true, value_name = "EXIT_CODE", allow_negative_numbers = true)]
    also_interesting: Option<i32>,
    #[arg(long, hide = true)]
    no_give_up: bool,
    #[arg(long, hide = true)]
    no_kill: bool,
    #[arg(long, hide = true)]
    print_diff: bool,
    #[arg(long, hide = true)]
    save_temps: bool,
    #[arg(long, hide = true)]
    skip_initial_passes: bool,
    #[arg(short = 's', long, hide = true)]
    skip_interestingness_test_check: bool,
    #[arg(long, hide = true, value_name = "PASSES", action = ArgAction::Append)]
    remove_pass: Vec<String>,
    #[arg(long, hide = true, value_names = ["PASS", "SUB_PASS", "PRIORITY"], num_args = 3)]
    add_pass: Vec<String>,
    #[arg(long, hide = true)]
    no_default_passes: bool,
    #[arg(long, hide = true, value_name = "PASS")]
    start_with_pass: Option<String>,
    #[arg(long, hide = true)]
    no_timing: bool,
    #[arg(long, hide = true)]
    timing: bool,
    #[arg(long, hide = true)]
    abs_timing: bool,
    #[arg(long, hide = true)]
    timestamp: bool,
    #[arg(long, hide = true)]
    no_cache: bool,
    #[arg(long, hide = true)]
    skip_key_off: bool,
    #[arg(long, hide = true, value_name = "BYTES")]
    max_improvement: Option<u64>,
    #[arg(long, hide = true, value_name = "NAME")]
    pass_group: Option<String>,
    #[arg(long, hide = true, value_name = "FILE")]
    pass_group_file: Option<PathBuf>,
    #[arg(long, hide = true, value_name = "STANDARD")]
    clang_delta_std: Option<String>,
    #[arg(long, hide = true, value_name = "NAME")]
    clang_delta_preserve_routine: Option<String>,
    #[arg(long, hide = true)]
    renaming: bool,
    #[arg(long, hide = true)]
    to_utf8: bool,
    #[arg(long, hide = true, value_name = "N")]
    skip_after_n_transforms: Option<u64>,
    #[arg(long, hide = true, value_name = "FRACTION")]
    stopping_threshold: Option<f64>,
}

impl CviseArgs {
    /// The options that were given and change nothing that a user could miss without being told. `--no-timing`,
    /// `--shaddap` and the like only silence C-Vise, so nobody needs to hear of them.
    pub(super) fn without_effect(&self) -> Vec<&'static str> {
        let idle = &self.idle;
        let options = [
            (idle.die_on_pass_bug, "--die-on-pass-bug"),
            (idle.also_interesting.is_some(), "--also-interesting"),
            (idle.print_diff, "--print-diff"),
            (idle.save_temps, "--save-temps"),
            (idle.skip_initial_passes, "--skip-initial-passes"),
            (idle.skip_interestingness_test_check, "--skip-interestingness-test-check"),
            (!idle.remove_pass.is_empty(), "--remove-pass"),
            (!idle.add_pass.is_empty(), "--add-pass"),
            (idle.no_default_passes, "--no-default-passes"),
            (idle.start_with_pass.is_some(), "--start-with-pass"),
            (idle.no_cache, "--no-cache"),
            (idle.max_improvement.is_some(), "--max-improvement"),
            (idle.pass_group.is_some(), "--pass-group"),
            (idle.pass_group_file.is_some(), "--pass-group-file"),
            (idle.clang_delta_std.is_some(), "--clang-delta-std"),
            (idle.clang_delta_preserve_routine.is_some(), "--clang-delta-preserve-routine"),
            (idle.to_utf8, "--to-utf8"),
            (idle.skip_after_n_transforms.is_some(), "--skip-after-n-transforms"),
            (idle.stopping_threshold.is_some(), "--stopping-threshold"),
        ];
        options.into_iter().filter(|(is_given, _)| *is_given).map(|(_, name)| name).collect()
    }

    /// What `--log-level` and `--debug` ask for.
    pub(super) fn voice(&self) -> Option<&'static str> {
        match self.log_level.as_deref().map(str::to_ascii_uppercase).as_deref() {
            _ if self.debug => Some("--verbose"),
            Some("DEBUG") => Some("--verbose"),
            Some("WARNING" | "ERROR") => Some("--quiet"),
            _ => None,
        }
    }
}

const EXIT: &str = "\
Options of C-Vise and C-Reduce that are not listed are accepted and have no effect.

Exit status:
  0  reduced, or nothing smaller was found
  1  stopped by a signal; or the files cannot be reduced
  2  usage error";
