#!/usr/bin/env bash
# Generates C programs with Csmith: programs.sh FOLDER COUNT
#
# Small ones, with the declarations of stdint.h in place of Csmith's runtime. Programs with fewer than three kinds of
# warnings are left out.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
count=$2
mkdir -p "$1"
cd "$1" # csmith writes a file of its own into the current folder
for ((seed = 1; $(find . -name '*.c' | wc -l) < count; seed++)); do
    program=$(printf %03d "$seed").c
    csmith --seed "$seed" --max-funcs 3 --max-block-size 3 --max-block-depth 2 --no-checksum --no-safe-math --concise --nomain |
        sed 's/#include "csmith.h"/#include <stdint.h>/' > "$program"
    "$here/warnings.sh" "$program" | grep -q 'W.*W.*W' || rm "$program"
done
rm -f platform.info
