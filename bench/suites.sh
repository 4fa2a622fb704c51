#!/usr/bin/env bash
# Makes subjects of the tests that Picire and Picireny ship with their source packages: an input, a test, and the result that
# the peer is expected to reach. Nothing of it is copied into this repository.
#
#   bench/suites.sh OUT
#   whittle-bench run --subjects OUT/subjects --only 'whittle,picire-*,picireny-*' --keep OUT/results
#   whittle-bench recount OUT/results --subjects OUT/subjects     # Whittle's results next to the expected ones
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/projects/fetch.sh"
out=$(realpath -m "$1")
mkdir -p "$out/subjects" "$out/results"

for peer in picire picireny; do
    [ -d "$out/$peer" ] || sdist "$peer" 21.8 "$out/$peer"
    resources=$out/$peer/tests/resources
    for expected in "$resources"/exp-*; do
        case=${expected##*/exp-} extension=${expected##*.}
        case=${case%.*}
        subject=$out/subjects/$peer-$case
        # exp-NAME-CASE belongs to inp-NAME, or to inp-NAME-CASE.
        input=$resources/inp-$case.$extension
        [ -e "$input" ] || input=$resources/inp-${case%-*}.$extension
        mkdir -p "$subject"
        cp "$resources"/sut-* "$resources"/test-*"$case".sh "$subject"
        cp "$input" "$subject"
        printf '#!/bin/sh\nexec timeout 10 bash "${0%%/*}"/test-*%s.sh %s\n' "$case" "${input##*/}" >"$subject/test.sh"
        chmod +x "$subject/test.sh"
        printf 'input = "%s"\ntool = "Python"\ndescription = "a test of %s 21.8"\n' "${input##*/}" "$peer" >"$subject/meta.toml"
        cp "$expected" "$out/results/$peer-$case.$peer.${input##*/}"
    done
done
ls "$out/subjects"
