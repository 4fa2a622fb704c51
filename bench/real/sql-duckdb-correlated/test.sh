#!/usr/bin/env bash
. "${0%/*}/check.sh"
duckdb_says queries.sql
said 'Expression with depth > 1 detected in non-lateral join'
