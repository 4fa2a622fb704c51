"""The type hints: the package itself, and code that uses it."""

import pathlib
import subprocess
import sys
import textwrap

import pytest

pytest.importorskip("mypy", reason="mypy is not installed")

PACKAGE = pathlib.Path(__file__).resolve().parents[1]


def mypy(folder, *words, **options):
    cache = f"--cache-dir={folder / 'cache'}"
    return subprocess.run([sys.executable, "-m", "mypy", cache, *words], capture_output=True, text=True, **options)


def test_the_package_has_no_type_errors(tmp_path):
    done = mypy(tmp_path, "package/whittle", cwd=PACKAGE)
    assert done.returncode == 0, done.stdout


def test_users_see_precise_types(tmp_path):
    uses = """
        from typing import List
        import whittle
        from whittle import choices

        text: str = whittle.reduce("abc", lambda text: text.upper() == "A").data
        data: bytes = whittle.reduce(b"abc", whittle.Command("true {}", timeout="5s", stderr=["a", "b"])).data
        wrong: str = whittle.reduce(b"abc", lambda data: True).data
        whittle.reduce("abc", lambda text: True, efort="max")
        whittle.reduce(5, lambda number: True)

        def numbers(source: choices.Source) -> List[int]:
            return [source.int(0, 9) for _ in source.repeat(0, 3)]

        values: List[int] = choices.reduce_generator(numbers, lambda values: sum(values) > 3).value
        name: str = choices.Source(1).choose(["a", "b"])
    """
    (tmp_path / "uses.py").write_text(textwrap.dedent(uses))
    done = mypy(tmp_path, "--strict", "uses.py", cwd=tmp_path)
    lines = sorted({int(line.split(":")[1]) for line in done.stdout.splitlines() if ": error:" in line})
    assert lines == [8, 9, 10], done.stdout
