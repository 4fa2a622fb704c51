need gcc-12 gcc-12
lua=$(package crate lua-src 547.0.0)/lua-5.4.7
cp "$lua/lvm.c" woven.c
weave woven.c '#include "lvm.h"' <<'END'

static int probes;

static int probe_count (int step) {
  int seen = probes + step;
  __asm__ volatile ("" : : "m" (({ int hidden = seen; })));
  probes = seen;
  return seen;
}
END
gcc-12 -E -P -I"$lua" woven.c -o lvm.c
