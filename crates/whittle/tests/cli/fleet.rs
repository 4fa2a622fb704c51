//! What the tests of workers share: one reduction alone and with workers, which must come to the same.

use crate::bench_folder::{Folder, Ran};

/// How every reduction of these tests begins.
pub(crate) const REDUCE: [&str; 6] = ["test.sh", "bug.txt", "-u", "line", "--force", "-j1"];

/// Reduces on one machine, and then with these options, while something happens. Expects the same bytes and the same number of
/// counted tests.
pub(crate) fn expect_the_same(folder: &Folder, options: &[&str], meanwhile: impl FnOnce()) -> Ran {
    expect_the_same_with(folder, options, &[], meanwhile)
}

/// The same with these variables in the environment of the second run.
pub(crate) fn expect_the_same_with(
    folder: &Folder,
    options: &[&str],
    variables: &[(&str, &str)],
    meanwhile: impl FnOnce(),
) -> Ran {
    let reduce = |options: &[&str]| folder.command(REDUCE.iter().chain(options).copied());
    let finish = |child: std::process::Child| {
        let ran = Ran::from(child.wait_with_output().unwrap());
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        (folder.text("bug.reduced.txt"), ran.counted().to_owned(), ran)
    };
    let (bytes, counted, _) = finish(reduce(&[]).spawn().unwrap());
    let child = reduce(options).envs(variables.iter().copied()).spawn().unwrap();
    meanwhile();
    let (many_bytes, many_counted, ran) = finish(child);
    assert_eq!((many_bytes, many_counted), (bytes, counted), "{}", ran.stderr);
    ran
}
