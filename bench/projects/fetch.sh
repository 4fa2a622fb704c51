# Functions for build.sh: each puts one published package, by name and version, into a folder. Sourced, not run.
# Network is needed here only; the tests need none.
set -euo pipefail
export BENCH_TOOLS=${BENCH_TOOLS:-$HOME/.cache/whittle-bench}

# A private folder for downloads, removed at the end.
SCRATCH=$(mktemp -d)
trap 'rm -rf "$SCRATCH"' EXIT

# begin OUT: sets $out to the absolute path of OUT, emptied. Exits if OUT is complete.
begin() {
    out=$(realpath -m "$1")
    if [ -e "$out.built" ]; then echo "$out: there already"; exit 0; fi
    rm -rf "$out" && mkdir -p "$out"
}

# finish: marks $out as complete, with the mark beside the folder.
finish() {
    touch "$out.built"
    echo "$out: $(find "$out" -type f | wc -l) files, $(find "$out" -type f -print0 | xargs -0 cat | wc -c) bytes"
}

# crate NAME VERSION OUT: the content of a package of crates.io.
crate() {
    local project=$SCRATCH/crate-$1
    mkdir -p "$project/src" && touch "$project/src/lib.rs"
    printf '[package]\nname = "fetch"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n%s = "=%s"\n[workspace]\n' "$1" "$2" >"$project/Cargo.toml"
    (cd "$project" && cargo vendor --quiet --versioned-dirs vendor >/dev/null)
    mkdir -p "$3" && cp -r "$project/vendor/$1-$2/." "$3" && rm -f "$3/.cargo-checksum.json" "$3/.cargo_vcs_info.json"
}

# wheel NAME VERSION OUT: the content of a pure-Python wheel of PyPI.
wheel() {
    python3 -m pip download --quiet --no-deps --only-binary :all: --platform any --python-version 3.12 \
        --dest "$SCRATCH/wheels" "$1==$2" 2>/dev/null
    python3 -m zipfile -e "$SCRATCH/wheels/"*.whl "$3" && rm -r "$SCRATCH/wheels"
}

# sdist NAME VERSION OUT: the content of a source package of PyPI.
sdist() {
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --no-binary :all: --dest "$SCRATCH/sdist" "$1==$2"
    mkdir -p "$3" && tar xzf "$SCRATCH/sdist/"*.tar.gz --strip-components 1 -C "$3" && rm -r "$SCRATCH/sdist"
}

# npm_package NAME VERSION OUT: the content of a package of npm.
npm_package() {
    (cd "$SCRATCH" && tar xzf "$(npm pack --silent "$1@$2" | tail -1)")
    mkdir -p "$3" && cp -r "$SCRATCH/package/." "$3" && rm -r "$SCRATCH/package"
}

# npm_tool NAME VERSION: installs a tool at $BENCH_TOOLS/npm/NAME-VERSION, where test.sh expects it.
npm_tool() {
    local folder=$BENCH_TOOLS/npm/$1-$2
    [ ! -d "$folder/node_modules/$1" ] || return 0
    mkdir -p "$folder" && echo '{"private":true}' >"$folder/package.json"
    (cd "$folder" && npm install --silent --no-audit --no-fund --ignore-scripts "$1@$2")
}

# weave FILE AFTER: inserts standard input below the only line of FILE that is exactly AFTER.
weave() {
    python3 -c '
import sys
path, after = sys.argv[1:]
lines = open(path, encoding="utf-8").read().split("\n")
at = [i for i, line in enumerate(lines) if line == after]
assert len(at) == 1, f"{path}: {len(at)} lines are {after!r}"
lines[at[0] + 1:at[0] + 1] = sys.stdin.read().rstrip("\n").split("\n")
open(path, "w", encoding="utf-8").write("\n".join(lines))' "$1" "$2"
}
