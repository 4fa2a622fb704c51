need gcc-12 gcc-12
need clang-14 clang-14
zlib=$(package crate libz-sys 1.1.20)/src/zlib
cp "$zlib/deflate.c" woven.c
weave woven.c '#include "deflate.h"' <<'END'

struct work_item { int kind; int mark; };

#define OWNER_OF(pointer) \
    ((struct work_item *)((char *)(pointer) - __builtin_offsetof(struct work_item, mark)))
#define OWNER_BY_HAND(place) \
    ((struct work_item *)((char *)({ place; }) - (char *)&((struct work_item *)0)->mark))

int work_kind(const int *mark)
{
    struct work_item *none = OWNER_BY_HAND(1);
    return mark ? OWNER_OF(mark)->kind : none != 0;
}
END
# As for an older gcc: clang does not know some attributes that the C library has for newer ones.
gcc-12 -E -P -U__GNUC__ -D__GNUC__=10 -I"$zlib" woven.c -o deflate.c
