#!/bin/bash
# Builds what changed.
set -euo pipefail
readonly ROOT="${1:-$(pwd)}"
declare -a files=(one.c "two words.c" *.h)
count=0

usage() {
    cat <<EOF
usage: $0 [-v] $ROOT
EOF
    return 1
}

function build {
    local file=$1 out="${1%.c}.o"
    if [[ $file == *.c && ! -e "$out" ]] || [ "$file" -nt "$out" ]; then
        gcc -c "$file" -o "$out" 2>&1 | grep -v '^note' >> build.log || true
    elif test -z "$file"; then
        usage
    else
        echo "skip ${file##*/}" >&2
    fi
}

for file in "${files[@]}"; do
    build "$file" &
    ((count += 1))
done
wait
for ((i = 0; i < 3; i++)); do echo $((i * 2)); done
while read -r line; do
    case "$line" in
        -v | --verbose) set -x ;;
        [0-9]*) continue ;;
        *) break ;;
    esac
done < build.log
until ! kill -0 $$; do sleep 1; done
export PATH="$PATH:/opt/bin" LANG=C
echo "done: ${#files[@]} ${files[0]:0:2} `date` $'tab\t'" && { true; }
(cd / && ls)
cat <<< "text"
