need sdcc sdcc
cat >trigger.c <<'END'

static struct { int high; signed flag : 1; } switches;

static int trigger(int wanted)
{
    return (wanted == 1) ^ switches.flag;
}
END
csmith_program trigger.c small.c --seed 77 --max-funcs 5 --no-float --no-longlong
