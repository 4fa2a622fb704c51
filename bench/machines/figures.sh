#!/usr/bin/env bash
# How long a reduction takes whose test sleeps: with 64 tests at once on this machine, and with 64 workers in four network
# namespaces, found by a NATS server. As root, with nats-server and ip. WHITTLE is the program; SLEEP is how long a test sleeps.
set -euo pipefail
whittle=$(realpath "${WHITTLE:-target/release/whittle}")
work=$(mktemp -d)
net=10.214.77
pids=()
clean() {
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    wait
    for n in 0 1 2 3; do
        ip link del "wbench$n" 2>/dev/null || true
        ip netns del "whittle-bench$n" 2>/dev/null || true
    done
    ip link del wbench 2>/dev/null || true
    rm -rf "$work"
}
trap clean EXIT

ip link add wbench type bridge
ip addr add "$net.1/24" dev wbench
ip link set wbench up
for n in 0 1 2 3; do
    ip netns add "whittle-bench$n"
    ip link add "wbench$n" type veth peer name "wpeer$n"
    ip link set "wbench$n" master wbench up
    ip link set "wpeer$n" netns "whittle-bench$n"
    ip -n "whittle-bench$n" addr add "$net.$((n + 2))/24" dev "wpeer$n"
    ip -n "whittle-bench$n" link set "wpeer$n" up
done

cd "$work"
seq -f 'line %g of the input' 2000 >bug.txt
needed=$(seq 13 297 2000)
{
    echo '#!/bin/sh'
    echo "sleep ${SLEEP:-1}"
    for n in $needed; do echo "grep -q '^line $n of' \"\$1\" || exit 1"; done
} >test.sh
chmod +x test.sh
nats-server -a "$net.1" -p 14444 2>/dev/null &
pids+=($!)
sleep 1
for n in 0 1 2 3; do
    for _ in $(seq 16); do
        ip netns exec "whittle-bench$n" "$whittle" worker --connect "nats://$net.1:14444" --group bench --jobs 1 2>/dev/null &
        pids+=($!)
    done
done
until [ "$("$whittle" workers "nats://$net.1:14444/bench" 2>/dev/null | wc -l)" -eq 65 ]; do sleep 1; done

run() {
    echo "== $1"
    shift
    "$whittle" test.sh bug.txt --unit line --timeout 60s --force "$@" 2>&1 | grep -E '^(tests|time|workers):'
    sha256sum bug.reduced.txt | cut -c1-16
}
run '64 tests at once on this machine' --jobs 64
run '64 workers in four namespaces' --jobs 1 --workers-only --workers "nats://$net.1:14444/bench"
