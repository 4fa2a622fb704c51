#!/usr/bin/env bash
# build.sh OUT: SQLAlchemy 2.0.30 and the package it imports, unchanged.
source "$(dirname "$0")/../fetch.sh"
begin "$1"
wheel SQLAlchemy 2.0.30 "$out"
wheel typing_extensions 4.12.2 "$out"
finish
