need tcc tcc
cat >trigger.c <<'END'

static unsigned trigger(int rounds)
{
    unsigned sum = 17;
    for (; rounds > 0; rounds--) {
        signed char low = -3;
        sum = sum * 5 + (unsigned short)low;
    }
    return sum;
}
END
csmith_program trigger.c small.c --seed 3 --max-funcs 10
