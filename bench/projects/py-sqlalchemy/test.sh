#!/usr/bin/env bash
# Exit 0 if and only if `import sqlalchemy` in the current folder still fails because SQLAlchemy takes __firstlineno__, which
# CPython 3.13 adds to each class body, for a symbol.
python=${BENCH_PYTHON313:-$(compgen -G "$HOME/.pyenv/versions/3.13.*/bin/python3.13" | head -n 1)}
python=${python:-python3.13}
# -P -S -B: no site packages, no bytecode files. The fixed seed makes the order of sets the same in all runs.
unset PYTHONPATH PYTHONHOME
PYTHONHASHSEED=0 timeout 60 "$python" -P -S -B -c 'import sys; sys.path.insert(0, "."); import sqlalchemy' 2>&1 >/dev/null </dev/null |
    tail -n 1 | grep -qE "^TypeError: Can't replace canonical symbol for '__firstlineno__' with new int value [0-9]+\$"
