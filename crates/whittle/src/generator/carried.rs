//! The Python package that the binary carries, unpacked where generators find it.

use std::fs;
use std::io;
use std::path::Path;

macro_rules! carried {
    ($($name:literal),* $(,)?) => { [$(($name, include_str!(concat!("../../python/", $name)))),*] };
}

const FILES: [(&str, &str); 14] = carried![
    "start/sitecustomize.py",
    "whittle_choices/__init__.py",
    "whittle_choices/__main__.py",
    "whittle_choices/draws.py",
    "whittle_choices/loading.py",
    "whittle_choices/numpy_draws.py",
    "whittle_choices/outputs.py",
    "whittle_choices/player.py",
    "whittle_choices/quiet.py",
    "whittle_choices/recording.py",
    "whittle_choices/records.py",
    "whittle_choices/rewrite.py",
    "whittle_choices/runtime.py",
    "whittle_choices/start.py",
];

/// Where the part is that Python runs when it starts, below the folder it was unpacked to.
pub(super) const START: &str = "start";

/// Unpacks everything below `folder`.
pub(super) fn unpack(folder: &Path) -> io::Result<()> {
    for (name, text) in FILES {
        let path = folder.join(name);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(path, text)?;
    }
    Ok(())
}
