#!/usr/bin/env bash
. "${0%/*}/check.sh"
duckdb_says queries.sql
said 'Logical column index 1 out of range'
