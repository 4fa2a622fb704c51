/* A small mixer of sounds: voices with envelopes, summed up with integer tricks on floats. */

typedef unsigned int uint32_t;
extern int printf(const char *format, ...);

#define VOICES 4
#define FRAMES 32
#define SINES 16

typedef struct {
    float level;
    float target;
    float speed;
} envelope;

typedef struct {
    envelope env;
    uint32_t phase;
    uint32_t step;
    int pan;
} voice;

typedef struct {
    float left[FRAMES];
    float right[FRAMES];
    float peak;
    uint32_t clipped;
} bus;

static voice voices[VOICES];
static bus master;

static const float sines[SINES] = {
    0.00f, 0.38f, 0.71f, 0.92f, 1.00f, 0.92f, 0.71f, 0.38f,
    0.00f, -0.38f, -0.71f, -0.92f, -1.00f, -0.92f, -0.71f, -0.38f,
};

/* The magnitude of a float by clearing its sign, quicker than a comparison on old machines. */
static float magnitude(float *value)
{
    *(uint32_t *)value &= 0x7fffffffu;
    return *value;
}

/* Halves or doubles a float by stepping its exponent. */
static void scale(float *value, int steps)
{
    uint32_t *bits = (uint32_t *)value;
    if (*bits & 0x7f800000u)
        *bits += (uint32_t)steps << 23;
}

/* Lets a level die away, and tells how often it was heard on the way. */
__attribute__((noinline)) static unsigned settle(float *level, uint32_t *heard, int limit)
{
    int i;
    for (i = 0; i < limit; i++) {
        *heard = (uint32_t)i + 1;
        *level = 0.0f;
    }
    return *heard;
}

static void advance(envelope *env)
{
    if (env->level < env->target) {
        env->level += env->speed;
        if (env->level > env->target)
            env->level = env->target;
    } else {
        env->level -= env->speed * 0.5f;
        if (env->level < env->target)
            env->level = env->target;
    }
}

static void start(voice *v, uint32_t step, float loudness, int pan)
{
    v->env.level = 0.0f;
    v->env.target = loudness;
    v->env.speed = 0.125f;
    v->phase = 0;
    v->step = step;
    v->pan = pan;
}

static float sample(voice *v)
{
    float value = sines[(v->phase >> 4) % SINES] * v->env.level;
    v->phase += v->step;
    advance(&v->env);
    return value;
}

static void render(bus *out, int frames)
{
    int frame, i;
    for (frame = 0; frame < frames; frame++) {
        float left = 0.0f, right = 0.0f;
        for (i = 0; i < VOICES; i++) {
            float value = sample(&voices[i]);
            left += value * (float)(8 - voices[i].pan) / 8.0f;
            right += value * (float)(8 + voices[i].pan) / 8.0f;
        }
        out->left[frame] = left;
        out->right[frame] = right;
    }
}

static void measure(bus *out, int frames)
{
    int frame;
    for (frame = 0; frame < frames; frame++) {
        float loud = out->left[frame] + out->right[frame];
        if (loud < 0.0f)
            loud = -loud;
        if (loud > out->peak)
            out->peak = loud;
        if (loud > 3.0f)
            out->clipped++;
    }
}

static uint32_t fingerprint(const bus *out, int frames)
{
    uint32_t sum = 2166136261u;
    int frame;
    for (frame = 0; frame < frames; frame++) {
        sum = (sum ^ (uint32_t)(int)(out->left[frame] * 1000.0f)) * 16777619u;
        sum = (sum ^ (uint32_t)(int)(out->right[frame] * 1000.0f)) * 16777619u;
    }
    return sum;
}

int main(void)
{
    float probe = -1.5f, level = 1.0f;
    unsigned rounds;
    int i;
    for (i = 0; i < VOICES; i++)
        start(&voices[i], 3u + (uint32_t)i * 2u, 0.25f * (float)(i + 1), i - 2);
    render(&master, FRAMES);
    measure(&master, FRAMES);
    scale(&level, 2);
    rounds = settle(&level, (uint32_t *)&level, 3);
    printf("peak %d, clipped %u\n", (int)(master.peak * 100.0f), (unsigned)master.clipped);
    printf("magnitude %d\n", (int)(magnitude(&probe) * 10.0f));
    printf("fingerprint %08x\n", (unsigned)fingerprint(&master, FRAMES));
    printf("settled after %u\n", rounds);
    return 0;
}
