#include <stdio.h>
#include <stdlib.h>

#define WHITTLE_CHOICES_IMPLEMENTATION
#include "whittle_choices.h"

static void tree(int depth) {
    size_t scope = whittle_enter("tree");
    char letters[5];
    for (int i = 0; i < 5; i++)
        letters[i] = (char)('a' + i + (i >= depth));
    printf("%c(", letters[whittle_choose_of(letters, 5)]);
    whittle_repeat(0, 3 - depth) tree(depth + 1);
    whittle_optional() printf("%d", (int)whittle_int(10, 99));
    printf(")");
    whittle_leave(scope);
}

int main(int argc, char **argv) {
    whittle_start(argc > 1 ? strtoull(argv[1], NULL, 10) : 0);
    tree(0);
    printf("\n");
    return 0;
}
