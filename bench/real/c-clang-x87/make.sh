need clang-16 clang-16
lua=$(package crate lua-src 547.0.0)/lua-5.4.7
cp "$lua/lobject.c" woven.c
weave woven.c '#include "lvm.h"' <<'END'

long round_up_step (long double amount) {
  __asm__ ("# keep %0" : "+fvm" (amount));
  amount = amount + 1;
  return (long) amount;
}
END
clang-16 -E -P -I"$lua" woven.c -o lobject.c
