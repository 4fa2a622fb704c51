#!/bin/sh
# Interesting: gcc finds that %d gets a long through a typedef, and has no other complaint.
export LC_ALL=C
said=$(timeout 10 gcc -std=gnu11 -fsyntax-only -Wformat -Wimplicit-function-declaration log.c 2>&1)
echo "$said" | grep -q 'error:' && exit 1
[ "$(echo "$said" | grep -c 'warning:')" = 1 ] || exit 1
echo "$said" | grep -Eq "format '%d' expects argument of type 'int', but argument [0-9]+ has type '[a-z_]+' \{aka 'long int'\}"
