#!/usr/bin/env bash
. "${0%/*}/check.sh"
black_says signer.py
said 'INTERNAL ERROR: Black produced code that is not equivalent to the source'
