#!/bin/sh
# Prints the kinds of warnings that gcc has for a program without errors: warnings.sh FILE
export LC_ALL=C
said=$(gcc -std=gnu11 -fsyntax-only -Wall -Wextra -Werror=implicit -Werror=implicit-int "$1" 2>&1) || exit 1
echo "warnings: $(echo "$said" | grep -o '\[-W[a-z-]*' | grep -v unused | sort -u | tr -d '[\n')"
