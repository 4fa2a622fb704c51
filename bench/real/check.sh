# What the tests share. A test runs in a folder with the candidate, and writes only below $T.
[ -n "${BENCH_TOOLS:-}" ] || BENCH_TOOLS=$HOME/.cache/whittle-bench
T=$(mktemp -d) || exit 2
trap 'rm -rf "$T"' EXIT
export LC_ALL=C TMPDIR=$T XDG_CACHE_HOME=$T PYTHONDONTWRITEBYTECODE=1
ulimit -c 0

# run SECONDS COMMAND...: runs a command; its output is in $T/log, its exit status in $status.
run() { timeout -k 1 "$@" >"$T/log" 2>&1 </dev/null; status=$?; }

# lean SECONDS COMMAND...: the same with at most 4 GB of address space.
lean() { (ulimit -v 4000000 && exec timeout -k 1 "$@") >"$T/log" 2>&1 </dev/null; status=$?; }

# said TEXT: the output has this text, or the candidate is not interesting.
said() { grep -qF -e "$1" "$T/log" || exit 1; }

# only_ice: the compiler's crash is its only error.
only_ice() { ! grep -F 'error: ' "$T/log" | grep -vqF 'internal compiler error' || exit 1; }

# valid SECONDS COMMAND...: another tool accepts the candidate.
valid() { lean "$@"; [ "$status" = 0 ] || exit 1; }

# rustc_says FILE OPTION...: compiles a crate of one file. An internal error ends with its place in the compiler.
rustc_says() {
    export RUST_BACKTRACE=0 RUSTC_ICE=0 RUSTC_BOOTSTRAP=1
    run 10 rustc --edition 2021 --cap-lints allow --crate-type lib --crate-name c --emit=metadata --out-dir "$T" "${@:2}" "$1"
}

# prettier_says PARSER FILE: formats a file; the exception is in the log. Plugins are loaded by hand to keep the start short.
prettier_says() {
    run 5 node -e '
const prettier = require(process.argv[1] + "/standalone"), plugin = require(process.argv[1] + "/parser-" + process.argv[2]);
prettier.format(require("fs").readFileSync(process.argv[3], "utf8"), { parser: process.argv[2], plugins: [plugin] });' \
        "$BENCH_TOOLS/npm/prettier-2.0.0/node_modules/prettier" "$1" "$2"
}

# black_says FILE: formats a file, with black's check of its own result.
black_says() { run 8 "$BENCH_TOOLS/py/black-20.8b1/bin/black" --diff "$1"; }

# duckdb_says FILE: runs the statements of a file one by one; internal errors are in the log.
duckdb_says() {
    run 3 "$BENCH_TOOLS/py/duckdb-0.7.1/bin/python" -c '
import sys, duckdb
connection = duckdb.connect()
connection.execute("PRAGMA threads=1")
for statement in open(sys.argv[1], encoding="utf-8", errors="replace").read().split(";"):
    try:
        connection.execute(statement)
        connection.fetchall()
    except Exception as error:
        if "INTERNAL Error" in str(error):
            print(error)' "$1"
}
