/*
 * Makes directed graphs with weights: vertices first, then edges between them. After the generator for JGraphT in Zest
 * (Padhye et al.: Semantic Fuzzing with Zest, 2019). Prints calls of JGraphT's Python interface.
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
    whittle_start((uint64_t)argument(argc, argv, 1, 0));
    whittle_repeat(1, (uint64_t)vertices) printf("graph.add_vertex(%ld)\n", count++);
    whittle_repeat(0, (uint64_t)edges) {
        size_t from = whittle_choose(count);
        size_t to = whittle_choose(count);
        static const unsigned likely[] = {4, 2, 1};
        static const int weights[] = {1, 2, 10};
        printf("graph.add_edge(%zu, %zu, weight=%d)\n", from, to, weights[whittle_weighted(likely, 3)]);
    }
    return 0;
}
