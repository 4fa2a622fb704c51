/* A ring of counters, and most of what C has. */
#include <stddef.h>
#include "ring.h"
#define LIMIT 8
#define MAX(a, b) ((a) > (b) ? (a) : (b))

typedef unsigned long ulong;
enum colour { RED, GREEN = 4, BLUE };
struct ring {
    int head, tail;
    ulong slots[LIMIT];
    union { float f; unsigned bits : 3; } as;
    struct ring *next;
};
static const char *const names[] = {"red", [GREEN] = "green", "blue"};
extern int printf(const char *format, ...);

#if LIMIT > 4
static inline ulong push(struct ring *r, ulong value)
{
    if (r == NULL || r->head - r->tail >= LIMIT)
        return 0;
    else if (value == 0x1FUL)
        value ^= ~value << 2;
    r->slots[r->head++ % LIMIT] = value;
    return value;
}
#endif

int main(int argc, char **argv)
{
    struct ring ring = {.head = 0, .as = {.f = 1.5e-3f}}, *p = &ring;
    int (*print)(const char *, ...) = printf;
    for (size_t i = 0; i < sizeof ring.slots / sizeof(ring.slots[0]); ++i) {
        switch (i & 3) {
        case 0: continue;
        case 1: push(p, (ulong)i); break;
        default: goto next;
        }
    next:
        print("%s %d\n", names[RED], MAX(argc, 'x'));
    }
    do { p->tail--; } while (p->tail > 0 && !argv[0][0]);
    return *argv ? 0 : 1, 2;
}
