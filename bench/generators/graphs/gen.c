/*
 * Makes directed graphs with weights: vertices first, then edges between them. After the generator for JGraphT in Zest
 * (Padhye et al.: Semantic Fuzzing with Zest, 2019). Prints calls of JGraphT's Python interface.
 *
 * Vertices have drawn names, so a vertex is the same after others are removed. A name that is taken makes no vertex.
 *
 * usage: gen SEED [VERTICES [EDGES]]
 */
#include <stdio.h>
#include <stdlib.h>

#define WHITTLE_CHOICES_IMPLEMENTATION
#include "whittle_choices.h"

static long argument(int argc, char **argv, int place, long otherwise) {
    return argc > place ? strtol(argv[place], NULL, 10) : otherwise;
}

int main(int argc, char **argv) {
    long vertices = argument(argc, argv, 2, 120), edges = argument(argc, argv, 3, 500), count = 0;
    /* Few enough to be short, and so many that few are drawn twice. */
    long most = vertices * 8 - 1;
    int *names = malloc(sizeof *names * (size_t)vertices);
    char *is_taken = calloc((size_t)most + 1, 1);
    if (!names || !is_taken) return 1;
    whittle_start((uint64_t)argument(argc, argv, 1, 0));
    whittle_repeat(1, (uint64_t)vertices) {
        int name = (int)whittle_int(0, most);
        if (is_taken[name]) continue;
        is_taken[name] = 1;
        names[count++] = name;
        printf("graph.add_vertex(%d)\n", name);
    }
    whittle_repeat(0, (uint64_t)edges) {
        int from = names[whittle_choose_of(names, count)];
        int to = names[whittle_choose_of(names, count)];
        static const unsigned likely[] = {4, 2, 1};
        static const int weights[] = {1, 2, 10};
        printf("graph.add_edge(%d, %d, weight=%d)\n", from, to, weights[whittle_weighted(likely, 3)]);
    }
    free(names);
    free(is_taken);
    return 0;
}
