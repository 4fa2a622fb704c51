#!/usr/bin/env bash
# Installs the peers that the bench compares with, in the versions of docs/benchmarks.md where a registry has versions, and
# prints the PATH to use:
#
#   export PATH=$(bench/peers.sh)
#
# C-Vise, C-Reduce and llvm-reduce are Debian's packages and are installed if this runs as root. The others go to
# $BENCH_TOOLS/peers (default: ~/.cache/whittle-bench/peers). A peer that cannot be installed is named, and the bench skips it.
# Perses is a jar that the bench gets by --perses.
set -euo pipefail
export BENCH_TOOLS=${BENCH_TOOLS:-$HOME/.cache/whittle-bench}
folder=$BENCH_TOOLS/peers
mkdir -p "$folder/bin"

# install NAME COMMAND...: runs the command unless $folder/bin has the program already.
install() {
    local name=$1
    shift
    [ -e "$folder/bin/$name" ] || "$@" >"$folder/$name.log" 2>&1 || echo "no $name: see $folder/$name.log" >&2
}

# debian PROGRAM PACKAGE: a program of Debian's, which PATH has already or gets here.
debian() {
    command -v "$1" >/dev/null && return
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        apt-get install -y -qq --no-install-recommends "$2" >"$folder/$1.log" 2>&1 || true
    fi
    command -v "$1" >/dev/null || echo "no $1: needs Debian's package $2" >&2
}

# python NAME VERSION MINOR: a program of PyPI, in an environment of its own. It needs Python 3.MINOR.
python() {
    local interpreter minor
    for interpreter in python3 "$HOME"/.pyenv/versions/3.*/bin/python3 /usr/bin/python3.*; do
        minor=$("$interpreter" -c 'import sys; print(sys.version_info.minor)' 2>/dev/null) || continue
        [ "$minor" -ge "$3" ] || continue
        "$interpreter" -m venv --clear "$folder/$1" || return
        local pip=("$folder/$1/bin/pip" install --quiet --disable-pip-version-check)
        # Shrink Ray's language model stays unused, and llama-cpp-python takes half an hour to compile.
        "${pip[@]}" --no-deps "$1==$2" &&
            requirements "$folder/$1/bin/python" "$1" | grep -v '^llama-cpp-python' |
            xargs -d '\n' --no-run-if-empty "${pip[@]}" &&
            ln -s "$folder/$1/bin/$1" "$folder/bin/$1"
        return
    done
    echo "needs Python 3.$3"
    return 1
}

# requirements INTERPRETER NAME: prints what a package needs without its extras.
requirements() {
    "$1" -c 'import importlib.metadata, sys
for line in importlib.metadata.requires(sys.argv[1]) or []:
    if "extra ==" not in line: print(line)' "$2"
}

jsdelta() {
    npm install --silent --no-audit --no-fund --prefix "$folder/jsdelta" jsdelta@1.0.0 &&
        ln -s "$folder/jsdelta/node_modules/.bin/jsdelta" "$folder/bin/jsdelta"
}

debian cvise cvise
debian creduce creduce
debian llvm-reduce llvm
install shrinkray python shrinkray 26.9.13.0 12
install picire python picire 21.8 7
install picireny python picireny 21.8 7
install ddsmt python ddsmt 2.0.6 7
install jsdelta jsdelta
for language in c rust javascript; do
    install "treereduce-$language" cargo install --quiet --locked --root "$folder" "treereduce-$language@0.4.1"
done
echo "$folder/bin:$PATH"
