#!/usr/bin/env bash
. "${0%/*}/check.sh"
prettier_says graphql schema.graphql
said 'unknown graphql type: "SchemaExtension"'
