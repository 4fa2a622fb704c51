#!/usr/bin/env bash
. "${0%/*}/check.sh"
# Each run prints one checksum.
checksum() { lean 2 "$T/$1" && [ "$status" = 0 ] && grep -qE '^checksum = [0-9a-f]+$' "$T/log" && cp "$T/log" "$T/$1.out"; }
valid 10 tcc -w -o "$T/bad" small.c -lm
checksum bad || exit 1
valid 10 gcc-12 -std=gnu17 -w -O0 -o "$T/good" small.c -lm
checksum good || exit 1
! cmp -s "$T/good.out" "$T/bad.out" || exit 1
# No undefined behaviour, as far as warnings and sanitizers see it.
valid 10 gcc-12 -std=gnu17 -O1 -Wall -Wextra -c -o "$T/w.o" small.c
! grep -qE 'W(maybe-)?uninitialized|Wreturn-type|Wimplicit|Wint-conversion|Wincompatible-pointer-types|Wformat|Warray-bounds|Wstringop|Wsequence-point|Wreturn-local-addr|Wdangling-pointer|Wmain|Wbuiltin-declaration|Wnonnull|Wdiv-by-zero|Wshift-|Wstrict-|Wdiscarded-qualifiers|Wzero-length|Waggressive-loop|W(pointer-to-int|int-to-pointer)-cast|data definition has no type|useless type name|initializer element|makes (pointer|integer) from' "$T/log" || exit 1
run 15 gcc-12 -std=gnu17 -w -O0 -fsanitize=address,undefined -fno-sanitize-recover=all -o "$T/clean" small.c -lm
[ "$status" = 0 ] || exit 1
run 5 "$T/clean"
[ "$status" = 0 ] && cmp -s "$T/log" "$T/good.out"
