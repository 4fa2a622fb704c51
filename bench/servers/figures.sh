#!/bin/bash
# What a test server saves, for docs/servers.md: a trivial Python function, and real bugs in prettier tested by a process each and
# by a server. The bugs are not in the repository: WHITTLE_SUBJECTS names their folder, BENCH_TOOLS that of their tools.
set -eu
repository=$(cd "$(dirname "$0")/../.." && pwd)
whittle=${WHITTLE:-$repository/target/release/whittle}
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
cd "$work"
cp "$repository"/bench/servers/prettier.js "$repository"/crates/whittle/servers/* .

# Runs a reduction with two workers; prints processor time, and from the last event the tests and the seconds of the search.
measure() {
    local name=$1
    shift
    TIMEFORMAT="$name: %U + %S s of processor time"
    time "$whittle" --quiet --jobs 2 --json events.jsonl "$@"
    tail -1 events.jsonl | python3 -c 'import json, sys
end = json.load(sys.stdin)
print("  %d bytes, %d tests counted, %d run in %.2f s: %.0f a second" % (
    end["bytes"], end["tests"], end["runs"], end["elapsed"], end["runs"] / end["elapsed"]))'
}

cat > trivial.py <<'PYTHON'
from whittle_server import serve

def is_interesting(path):
    with open(path, "rb") as candidate:
        return candidate.read().count(b"k") >= 1000

serve(is_interesting)
PYTHON
python3 -c 'print("".join(("k%04d\n" if i % 3 == 0 else "h%04d\n") % i for i in range(3000)), end="")' > many.txt
measure 'Python function' --server 'python3 {cwd}/trivial.py' many.txt --unit line --algorithm onemin

compare() {
    local bug=$1 input=$2 parser=$3 message=$4
    cp "$WHITTLE_SUBJECTS/$bug/$input" .
    measure "$bug, a process per test" "$WHITTLE_SUBJECTS/$bug/test.sh" "$input" --output "$bug.process"
    measure "$bug, a server" --server "node {cwd}/prettier.js $parser '$message'" "$input" --output "$bug.server"
    cmp "$bug.process" "$bug.server" && echo "  the same result"
}
if [ -n "${WHITTLE_SUBJECTS:-}" ]; then
    compare html-prettier-proto page.html html 'isClosedByChild is not a function'
    compare graphql-prettier-extend schema.graphql graphql 'unknown graphql type: "SchemaExtension"'
fi
