#!/bin/sh
exec timeout 10 "${PYTHON:-python3}" -I -S "${0%/*}/check.py"
