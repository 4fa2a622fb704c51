"""What several tests use."""

import pathlib

import pytest

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]


@pytest.fixture
def program() -> str:
    """A program in C with a bug in its last lines."""
    unused = "".join(f"int unused_{number}(int a) {{ return a + {number}; }}\n" for number in range(12))
    return unused + "int main(void) { int zero = 0; return unused_3(1) / zero; }\n"
