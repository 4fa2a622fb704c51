#!/usr/bin/env bash
# Builds the subjects in this folder: installs the tool of each, makes its input, and checks that the input is interesting
# and an empty file is not.
#
#   bench/real/setup.sh [NAME...]        # all of them without arguments
#   whittle-bench run --subjects "$BENCH_REAL"
#
# Tools go to $BENCH_TOOLS (default: ~/.cache/whittle-bench), finished subjects to $BENCH_REAL (default: $BENCH_TOOLS/real).
# A subject whose tool is missing and cannot be installed, or whose bug does not show, is skipped with a reason. Debian's
# packages are installed if this runs as root. A subject that is up to date is not made again.
set -euo pipefail
cd "$(dirname "$0")"
real=$PWD
. ../projects/fetch.sh
export BENCH_REAL=${BENCH_REAL:-$BENCH_TOOLS/real}
mkdir -p "$BENCH_REAL" "$BENCH_TOOLS/sources"

skip() { echo "skipped $name: $*" >&2 && exit 3; }

# need COMMAND PACKAGE: a command of a Debian package.
need() {
    command -v "$1" >/dev/null && return
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        apt-get install -y -qq --no-install-recommends "$2" >"$SCRATCH/apt" 2>&1 || true
    fi
    command -v "$1" >/dev/null || skip "needs $1, of Debian's package $2"
}

# header FILE PACKAGE: prints the folder of a header of a Debian package.
header() {
    local found
    found=$(find /usr/include -name "$1" | head -1)
    if [ -z "$found" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        apt-get install -y -qq --no-install-recommends "$2" >"$SCRATCH/apt" 2>&1 || true
        found=$(find /usr/include -name "$1" | head -1)
    fi
    [ -n "$found" ] && dirname "$found"
}

# csmith_program TRIGGER OUT OPTION...: a program of Csmith that calls the function trigger, which is in the file TRIGGER.
# Preprocessed with declarations that small compilers understand.
csmith_program() {
    local headers
    need csmith csmith
    need gcc-12 gcc-12
    headers=$(header csmith.h libcsmith-dev) || skip "needs csmith.h, of Debian's package libcsmith-dev"
    csmith "${@:3}" >program.c
    weave program.c '#include "csmith.h"' <"$1"
    sed -i 's/^    platform_main_end(/    transparent_crc(trigger(3), "trigger", print_hash_value);\n&/' program.c
    for bits in 8:char 16:short 32:int 64:'long long'; do
        echo "typedef signed ${bits#*:} int${bits%:*}_t; typedef unsigned ${bits#*:} uint${bits%:*}_t;"
        echo "#define INT${bits%:*}_MAX __INT${bits%:*}_MAX__"
        echo "#define INT${bits%:*}_MIN (-__INT${bits%:*}_MAX__ - 1)"
        echo "#define UINT${bits%:*}_MAX __UINT${bits%:*}_MAX__"
    done >custom_stdint_x86.h
    printf '#include <limits.h>\n#include <float.h>\n' >custom_limits.h
    echo 'double fabs(double); float fabsf(float); double ldexp(double, int); float ldexpf(float, int);' >>custom_limits.h
    gcc-12 -E -P -I. -I"$headers" -DCSMITH_MINIMAL program.c |
        sed 's/"%s %d\\n", vname/"%s %llu\\n", vname/; s/%lX\\n", vname/%llX\\n", vname/' >"$2"
}

# pip_tool NAME VERSION [REQUIREMENT...]: installs a Python program at $BENCH_TOOLS/py/NAME-VERSION.
pip_tool() {
    local folder=$BENCH_TOOLS/py/$1-$2
    [ ! -e "$folder/done" ] || return 0
    python3 -m venv "$folder" && "$folder/bin/pip" install --quiet --disable-pip-version-check "$1==$2" "${@:3}" ||
        skip "$1 $2 cannot be installed from PyPI"
    touch "$folder/done"
}

# package KIND NAME VERSION: prints the folder with a published package's content. KIND is crate, npm_package or wheel.
package() {
    local folder=$BENCH_TOOLS/sources/$1-$2-$3
    if [ ! -d "$folder" ]; then
        "$1" "$2" "$3" "$folder.part" >&2 || { echo "$2 $3 cannot be fetched" >&2 && return 1; }
        mv "$folder.part" "$folder"
    fi
    echo "$folder"
}

# definitions SEED COUNT: prints random definitions in SMT-LIB, over declared names.
definitions() {
    PYTHONPATH=$real/../trec PYTHONDONTWRITEBYTECODE=1 python3 - "$@" <<'END'
import sys
from formulas import Formula
formula = Formula(int(sys.argv[1]))
print(*[line for line in formula.text().splitlines() if line.startswith("(declare")], sep="\n")
for number in range(int(sys.argv[2])):
    print(f"(define-fun step!{number} () Bool {formula.term('Bool', 5)})")
END
}

# tpch: prints the tables and the queries of TPC-H, as duckdb 0.7.1 has them.
tpch() {
    pip_tool duckdb 0.7.1
    "$BENCH_TOOLS/py/duckdb-0.7.1/bin/python" - <<'END'
import duckdb
connection = duckdb.connect()
connection.execute("CALL dbgen(sf=0)")
for (statement,) in connection.execute("SELECT sql FROM duckdb_tables() ORDER BY table_name").fetchall():
    print(statement)
for (query,) in connection.execute("SELECT query FROM tpch_queries() ORDER BY query_nr").fetchall():
    print(query)
END
}

# rust_source CRATE VERSION: prints a crate as one file, without inner attributes, which must come first.
rust_source() {
    rustc --version | grep -qF 'rustc 1.95.0' || skip "needs rustc 1.95.0 (rustup toolchain install 1.95.0)"
    python3 - "$(package crate "$1" "$2")/src" <<'END'
import pathlib, re, sys
source = pathlib.Path(sys.argv[1])
def module(declared):
    file = source / (declared[2] + ".rs")
    return declared[1] + " {\n" + file.read_text() + "}\n" if file.exists() else declared[0]
text = re.sub(r"^((?:pub )?mod (\w+));", module, (source / "lib.rs").read_text(), flags=re.M)
print(re.sub(r"^#!\[[^\]]*\]*\]$", "", text, flags=re.M))
END
}

# make NAME: one subject. make.sh runs in an empty folder, with the functions above, and leaves the input in it.
make() {
    name=$1
    local here=$PWD/$1 out=$BENCH_REAL/$1 input tool
    input=$(sed -n 's/^input = "\(.*\)"$/\1/p' "$here/meta.toml")
    tool=$(sed -n 's/^tool = "\(.*\)"$/\1/p' "$here/meta.toml")
    if [ -e "$out/made" ] && [ -z "$(find "$here" check.sh setup.sh -newer "$out/made")" ]; then
        echo "there already: $name"
        return
    fi
    rm -rf "$out" && mkdir "$SCRATCH/part"
    cd "$SCRATCH/part"
    . "$here/make.sh"
    cd "$real"
    mkdir "$out" && mv "$SCRATCH/part/$input" "$out"
    cp "$here/meta.toml" "$here/test.sh" check.sh "$out"
    is_interesting "$out" "$out/$input" || { rm -rf "$out"; skip "its bug does not show; needs $tool"; }
    ! is_interesting "$out" /dev/null || { rm -rf "$out"; skip "an empty file is interesting"; }
    touch "$out/made"
    echo "made $name: $(wc -c <"$out/$input") bytes"
}

is_interesting() {
    local folder
    folder=$(mktemp -d -p "$SCRATCH")
    cp "$2" "$folder/$input"
    (cd "$folder" && "$1/test.sh" >/dev/null 2>&1 </dev/null)
}

if [ "${1:-}" = --one ]; then
    make "$2"
    exit
fi
names=("$@")
[ ${#names[@]} -gt 0 ] || names=($(dirname */meta.toml))
failed=0
for name in "${names[@]}"; do
    status=0
    # In a process of its own: in a list with ||, a command that fails would not end the rest.
    bash "$real/setup.sh" --one "$name" || status=$?
    [ "$status" = 0 ] || [ "$status" = 3 ] || { echo "failed: $name" && failed=1; }
done
exit "$failed"
