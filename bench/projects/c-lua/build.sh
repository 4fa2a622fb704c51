#!/usr/bin/env bash
# build.sh OUT: Lua 5.4.7 with a Makefile, and a search for the state that owns a string table (see README.md).
source "$(dirname "$0")/../fetch.sh"
begin "$1"
crate lua-src 547.0.0 "$SCRATCH/lua-src"
cp "$SCRATCH/lua-src/lua-5.4.7/"*.[ch] "$out"
cd "$out"

weave llimits.h '#define cast(t, exp)	((t)(exp))' <<'C'

/* the structure of type 't' whose member 'm' is at 'p' */
#define ownerof(t,m,p) \
  cast(t *, cast(const char *, (p)) - cast(const char *, &cast(t *, 0)->m))
C
weave lstring.h '#define MEMERRMSG       "not enough memory"' <<'C'

/* stands for a string table before the first one is there */
#define NOSTRTABLE	({ 1; })
C
weave lstate.h '} global_State;' <<'C'

#define tableowner(tb)	ownerof(global_State, strt, tb)
C
weave lgc.c '#define GCSWEEPMAX	100' <<'C'

static global_State nostate;

/*
** The state that owns a string table.
*/
static global_State *findowner (stringtable *tb) {
  global_State *g = &nostate;
  while (&g->strt != tb) {
    if (g->gcstate > GCSpause) break;
    g = tableowner(NOSTRTABLE);
  }
  return g;
}

void luaC_checkowner (lua_State *L) {
  lua_assert(findowner(&G(L)->strt) == G(L));
}
C

{
    echo 'CC = gcc'
    echo 'CFLAGS = -std=gnu17 -O0 -w'
    echo 'AR = ar rcu'
    echo "OBJECTS = $(ls *.c | sed 's/\.c$/.o/' | tr '\n' ' ')"
    printf '\nliblua.a: $(OBJECTS)\n\t$(AR) $@ $(OBJECTS)\n\nclean:\n\trm -f liblua.a $(OBJECTS)\n\n.PHONY: clean\n\n'
    for source in *.c; do
        echo "${source%.c}.o: $source $(sed -n 's/^#include "\(.*\)"$/\1/p' "$source" | tr '\n' ' ')"
    done
} >Makefile
finish
