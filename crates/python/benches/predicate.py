"""How many times a second Whittle calls a Python predicate that does next to nothing.

    python crates/python/benches/predicate.py

Needs an optimized build of the package: `pip install ./crates/python`. Prints figures and never fails.
"""

import time

import whittle

NEEDED = frozenset(range(0, 256, 3))
PROGRAM = "".join(f"int f{number}(int a) {{ return a * {number} + f{max(number - 1, 0)}(a); }}\n" for number in range(300))


def main() -> None:
    calls = 0

    def keeps_all(data: bytes) -> bool:
        nonlocal calls
        calls += 1
        return NEEDED <= set(data)

    def has_three(text: str) -> bool:
        nonlocal calls
        calls += 1
        return "f7(" in text and "* 99" in text and text.count("{") > 20

    cases = [
        ("256 bytes, by bytes", lambda jobs: whittle.reduce(bytes(range(256)), keeps_all, language="none", jobs=jobs)),
        ("300 functions in C", lambda jobs: whittle.reduce(PROGRAM, has_three, language="c", jobs=jobs)),
    ]
    for name, run in cases:
        for jobs in (1, 2):
            calls, began, cpu = 0, time.perf_counter(), time.process_time()
            while time.perf_counter() - began < 3:
                run(jobs)
            elapsed, used = time.perf_counter() - began, time.process_time() - cpu
            print(f"{name}, jobs={jobs}: {calls / elapsed:,.0f} calls per second, {1e6 * used / calls:.0f} us of processor time each")


if __name__ == "__main__":
    main()
