#!/usr/bin/env bash
. "${0%/*}/check.sh"
black_says timed.py
said 'INTERNAL ERROR: Black produced invalid code'
