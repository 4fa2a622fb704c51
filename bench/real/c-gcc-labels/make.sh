need gcc-12 gcc-12
zlib=$(package crate libz-sys 1.1.20)/src/zlib
cp "$zlib/inflate.c" woven.c
weave woven.c '#include "inffast.h"' <<'END'

long span_of_states(int wanted)
{
    static long distance = (long)&&finish + ((char *)&&finish - (char *)&&begin);
    if (wanted > 2)
        goto finish;
begin:
    wanted++;
finish:
    return distance + wanted;
}
END
gcc-12 -E -P -I"$zlib" woven.c -o inflate.c
