// A target for fuzzers with six bugs of our own, one for each letter that may follow F, and those that stb_image 2.27 has in
// GIF files: it frees twice what it cannot enlarge (CVE-2023-45664), and reads before its memory (CVE-2023-45661). With ONLY_REAL,
// it has only these.

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if __has_include(<stb/stb_image.h>)
#define STB_IMAGE_IMPLEMENTATION
#define STBI_NO_STDIO
#define STBI_ONLY_GIF
#define STBI_MAX_DIMENSIONS 64
#include <stb/stb_image.h>
#endif

static volatile int sink;

static void recurse(const uint8_t *data) {
    volatile char pad[4096];
    pad[0] = data[0];
    if (data[0]) recurse(data);
    sink += pad[0];
}

static void overflow(const uint8_t *data, size_t size) {
    char *copy = malloc(4);
    memcpy(copy, data, size);
    sink = copy[0];
    free(copy);
}

static void use_after_free(const uint8_t *data) {
    volatile char *copy = malloc(8);
    copy[0] = data[0];
    free((void *)copy);
    sink = copy[0];
}

static void divide(int a, int b) { sink = a / b; }

static void null_read(volatile int *pointer) { sink = *pointer; }

static void check(int kind) { assert(kind != 'A'); }

static void decode_gif(const uint8_t *data, size_t size) {
#ifdef STB_IMAGE_IMPLEMENTATION
    int *delays = NULL, width, height, frames, channels;
    stbi_image_free(stbi_load_gif_from_memory(data, size, &delays, &width, &height, &frames, &channels, 4));
    free(delays);
#endif
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size >= 4 && data[0] == 'G') decode_gif(data, size);
#ifdef ONLY_REAL
    return 0;
#endif
    if (size < 4 || data[0] != 'F') return 0;
    switch (data[1]) {
    case 'o': if (size > 6) overflow(data + 2, size - 2); break;
    case 'u': use_after_free(data + 2); break;
    case 'd': divide(data[2], data[3] - '0'); break;
    case 'n': null_read(data[2] == '!' ? 0 : &(int){0}); break;
    case 'a': check(data[2]); break;
    case 'r': if (data[3] == 'R') recurse(data); break;
    }
    return 0;
}

#ifdef MAIN
int main(int count, char **words) {
    static uint8_t data[1 << 16];
    FILE *file = count > 1 ? fopen(words[1], "rb") : stdin;
    return LLVMFuzzerTestOneInput(data, fread(data, 1, sizeof data, file));
}
#endif
