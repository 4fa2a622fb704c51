need gcc-12 gcc-12
need clang-14 clang-14
zlib=$(package crate libz-sys 1.1.20)/src/zlib
cp "$zlib/trees.c" woven.c
weave woven.c '#include "deflate.h"' <<'END'

double *row_of(int align, int length) __attribute__((alloc_align(1)));

void scale_rows(int length)
{
    int i;
    double *left = row_of(32, length);
    double *right = row_of(0, length);
    for (i = 0; i < length; i++)
        left[i] = left[i] * right[i];
}
END
# As for an older gcc: clang does not know some attributes that the C library has for newer ones.
gcc-12 -E -P -U__GNUC__ -D__GNUC__=10 -I"$zlib" woven.c -o trees.c
