#!/usr/bin/env bash
. "${0%/*}/check.sh"
lean 10 clang++-14 -std=c++17 -w -fsyntax-only -fno-crash-diagnostics small.cpp
[ "$status" = 139 ] || exit 1
said 'clang::LocalInstantiationScope::InstantiatedLocal'
said 'clang::Sema::ActOnStartOfFunctionDef'
