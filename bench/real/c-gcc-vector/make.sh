need gcc-12 gcc-12
need clang-14 clang-14
lua=$(package crate lua-src 547.0.0)/lua-5.1.5
cp "$lua/lstrlib.c" woven.c
weave woven.c '#include "lualib.h"' <<'END'

int weight_of_lanes (scale, lanes)
  int scale;
  int lanes __attribute__ ((vector_size (16)));
{
  int step, sum = 0;
  for (step = 0; step < scale; step++)
    sum = sum * 3 + step;
  return sum;
}
END
# As for an older gcc: clang does not know some attributes that the C library has for newer ones.
gcc-12 -E -P -U__GNUC__ -D__GNUC__=10 -I"$lua" woven.c -o lstrlib.c
