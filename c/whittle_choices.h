/*
 * whittle_choices.h: random choices for generators of test inputs in C99, recorded and replayed so that Whittle can
 * reduce those inputs. One file without dependencies; docs/trace-protocol.md specifies how the two communicate.
 *
 *     #define WHITTLE_CHOICES_IMPLEMENTATION       // in one file of the program
 *     #include "whittle_choices.h"
 *
 *     static void tree(void) {
 *         size_t scope = whittle_enter("tree");    // a recursive function is a scope
 *         printf("%c(", "abc"[whittle_choose_of("abc", 3)]);
 *         whittle_repeat(0, 3) printf("%d,", (int)whittle_int(0, 99));
 *         whittle_optional() tree();
 *         printf(")");
 *         whittle_leave(scope);
 *     }
 *
 *     int main(int argc, char **argv) {
 *         whittle_start(argc > 1 ? strtoull(argv[1], NULL, 10) : 0);    // a seed, for runs without Whittle
 *         tree();
 *     }
 *
 * Choices are identified by file and line: two of the same kind on one line count as one place. Put the simplest first:
 * numbers shrink to the lower end of their range, choices to the first item. The bodies of whittle_repeat and
 * whittle_optional should run to their end; after break or return, whittle_leave of the surrounding scope closes them.
 */
#ifndef WHITTLE_CHOICES_H
#define WHITTLE_CHOICES_H

#include <stddef.h>
#include <stdint.h>

/* Programs in C++ need a C file for the implementation. */
#ifdef __cplusplus
extern "C" {
#endif

/* Starts to draw from seed, and to record or replay if the environment asks for it. Ends when the program exits. */
void whittle_start(uint64_t seed);

/* A number from low to high. low must not exceed high. */
#define whittle_int(low, high) whittle_int_at(WHITTLE_SITE("int"), low, high)

/* An index below count, which must not be 0. A replay repeats the index, so this suits lists that are always the same.
 * The other functions repeat the item, wherever it is in the list now. */
#define whittle_choose(count) whittle_choose_at(WHITTLE_SITE("choose"), count, NULL, NULL)

/* The index of one of the items in an array of values without pointers and padding. */
#define whittle_choose_of(items, count)                                                                               \
    whittle_choose_item_at(WHITTLE_SITE("choose"), count, items, sizeof *(items))

/* The index of one of count items. fingerprint(index, context) names an item: the number is its own, and the same in
 * every run. whittle_fingerprint_of hashes a name. */
#define whittle_choose_by(count, fingerprint, context)                                                                \
    whittle_choose_at(WHITTLE_SITE("choose"), count, fingerprint, context)

/* The same with probabilities in proportion to the weights. The weights must not all be 0. */
#define whittle_weighted(weights, count) whittle_weighted_at(WHITTLE_SITE("weighted"), weights, count, NULL, NULL)
#define whittle_weighted_by(weights, count, fingerprint, context)                                                     \
    whittle_weighted_at(WHITTLE_SITE("weighted"), weights, count, fingerprint, context)

typedef uint64_t (*whittle_fingerprint)(size_t index, const void *context);

/* The FNV-1a hash of some bytes. */
uint64_t whittle_fingerprint_of(const void *bytes, size_t size);

/* Runs the statement that follows a random number of times, from least to most. */
#define whittle_repeat(least, most)                                                                                   \
    for (whittle_part whittle_rounds =                                                                                \
             whittle_begin_rounds(WHITTLE_SITE("count"), WHITTLE_SITE("repeat"), least, most);                        \
         whittle_next_round(&whittle_rounds);)

/* Runs the statement that follows or not. */
#define whittle_optional()                                                                                            \
    for (whittle_part whittle_block = whittle_begin_optional(WHITTLE_SITE("optional"), WHITTLE_SITE("whether"));      \
         whittle_next_block(&whittle_block);)

/* Starts a scope, such as a function. Choices until whittle_leave are reduced together. */
size_t whittle_enter(const char *name);
void whittle_leave(size_t scope);

/* The implementation of the macros. */
typedef struct {
    size_t scope;
    uint64_t left;
} whittle_part;

#define WHITTLE_TEXT_OF(line) #line
#define WHITTLE_TEXT(line) WHITTLE_TEXT_OF(line)
#define WHITTLE_SITE(what) what " " __FILE__ ":" WHITTLE_TEXT(__LINE__)

int64_t whittle_int_at(const char *site, int64_t low, int64_t high);
size_t whittle_choose_at(const char *site, size_t count, whittle_fingerprint fingerprint, const void *context);
size_t whittle_choose_item_at(const char *site, size_t count, const void *items, size_t size);
size_t whittle_weighted_at(const char *site, const unsigned *weights, size_t count, whittle_fingerprint fingerprint,
                           const void *context);
whittle_part whittle_begin_rounds(const char *count, const char *loop, uint64_t least, uint64_t most);
int whittle_next_round(whittle_part *rounds);
whittle_part whittle_begin_optional(const char *selection, const char *whether);
int whittle_next_block(whittle_part *block);

#ifdef __cplusplus
}
#endif

#endif

#ifdef WHITTLE_CHOICES_IMPLEMENTATION
#undef WHITTLE_CHOICES_IMPLEMENTATION

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WHITTLE_CALL, WHITTLE_LOOP, WHITTLE_ITERATION, WHITTLE_SELECTION, WHITTLE_BRANCH, WHITTLE_DRAW };
enum { WHITTLE_COMPLETE, WHITTLE_HALTED, WHITTLE_OVER_BUDGET };

#define WHITTLE_NONE UINT32_MAX
#define WHITTLE_WITH_OUTPUT 0x80     /* in the kind of a draw: its value is followed by its output */
#define WHITTLE_SHORT 0x40           /* in the kind of a draw: its numbers have 4 bytes instead of 8 */
#define WHITTLE_NARROW 0x20          /* the same with 2 bytes, in files to record to */
#define WHITTLE_LONG_RECORD 255      /* in place of a length: it follows in 4 bytes */
#define WHITTLE_BUFFER_BYTES 262144  /* so many are written at once */
#define WHITTLE_LARGEST_REST 32      /* bytes in any record but a site, after tag and length */
#define WHITTLE_KNOWN_PLACES 256     /* a power of two; generators have fewer sites */
#define WHITTLE_TRIED_PLACES 16      /* a site is in one of so many places */

/* What the numbers of a draw stand for: nothing known, the numbers from `low` on, or items with fingerprints. */
typedef struct {
    enum { WHITTLE_UNKNOWN, WHITTLE_NUMBERS, WHITTLE_ITEMS } kind;
    uint64_t low;
    whittle_fingerprint fingerprint;
    const void *context;
} whittle_outputs;

static const whittle_outputs whittle_no_outputs = {WHITTLE_UNKNOWN, 0, NULL, NULL};

/* A step to replay. Steps of one kind and site within one step are chained. The head of a chain also knows which of
 * them is expected next. */
typedef struct {
    uint32_t within, site, same, due;
    int kind, single, has_output, occurred;
    uint64_t value, output;
    uint32_t first, last, next; /* the steps within it; the one after it */
} whittle_node;

/* A hash table of indices that grows; WHITTLE_NONE is a free slot. */
typedef struct {
    uint32_t *slots;
    size_t size, used;
} whittle_table;

static struct {
    uint64_t state; /* of the random numbers */
    FILE *record;
    unsigned char buffer[WHITTLE_BUFFER_BYTES]; /* what is not yet written */
    size_t buffered;
    struct {
        const char *text;
        uint32_t site;
    } places[WHITTLE_KNOWN_PLACES]; /* the sites of texts by their addresses */
    char **sites;
    uint64_t *defaults; /* by site */
    uint32_t site_count;
    whittle_table by_text, by_place;
    whittle_node *nodes; /* NULL: nothing is replayed */
    uint32_t node_count;
    int halts;
    uint64_t budget, draws, misaligned;
    uint32_t *open; /* what each open scope is matched to, the whole run first */
    size_t depth, room;
} whittle;

static void whittle_fail(const char *problem, const char *what) {
    fprintf(stderr, "whittle_choices: %s: %s\n", problem, what);
    _Exit(2);
}

/* Room for one more in an array whose room is a power of two. */
static void *whittle_grown(void *array, size_t count, size_t size) {
    if (count & (count - 1))
        return array;
    array = realloc(array, (count ? 2 * count : 1) * size);
    if (!array)
        whittle_fail("there is no memory left", "the trace is too long");
    return array;
}

/* -- random numbers: SplitMix64 (Steele, Lea, Flood, 2014) */

static uint64_t whittle_up_to(uint64_t max) {
    int shift = 0;
    if (max == 0)
        return 0;
    while (!(max >> (63 - shift)))
        shift++;
    for (;;) {
        uint64_t mixed = whittle.state += 0x9e3779b97f4a7c15u;
        mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
        mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
        mixed = (mixed ^ (mixed >> 31)) >> shift;
        if (mixed <= max)
            return mixed;
    }
}

/* -- tables */

static uint64_t whittle_hash(const void *bytes, size_t length, uint64_t hash) {
    const unsigned char *at = bytes;
    while (length--)
        hash = (hash ^ *at++) * 0x100000001b3u;
    return hash ^ (hash >> 29);
}

static uint64_t whittle_text_hash(uint32_t site) {
    return whittle_hash(whittle.sites[site], strlen(whittle.sites[site]), 1);
}

static uint64_t whittle_place_hash(uint32_t number) {
    const whittle_node *node = &whittle.nodes[number];
    uint32_t key[3] = {node->within, (uint32_t)node->kind, node->site};
    return whittle_hash(key, sizeof key, 2);
}

static void whittle_insert(whittle_table *table, uint32_t entry, uint64_t (*hash)(uint32_t)) {
    if (2 * table->used >= table->size) {
        whittle_table old = *table;
        table->size = old.size ? 2 * old.size : 64;
        table->used = 0;
        table->slots = malloc(table->size * sizeof *table->slots);
        if (!table->slots)
            whittle_fail("there is no memory left", "the trace is too long");
        memset(table->slots, 0xff, table->size * sizeof *table->slots);
        for (size_t i = 0; i < old.size; i++)
            if (old.slots[i] != WHITTLE_NONE)
                whittle_insert(table, old.slots[i], hash);
        free(old.slots);
    }
    size_t at = hash(entry) & (table->size - 1);
    while (table->slots[at] != WHITTLE_NONE)
        at = (at + 1) & (table->size - 1);
    table->slots[at] = entry;
    table->used++;
}

/* -- the file to record to */

static void whittle_flush(void) {
    fwrite(whittle.buffer, 1, whittle.buffered, whittle.record);
    whittle.buffered = 0;
}

/* Compilers turn these into single stores. */
static unsigned char *whittle_put2(unsigned char *at, uint64_t number) {
    at[0] = (unsigned char)number;
    at[1] = (unsigned char)(number >> 8);
    return at + 2;
}

static unsigned char *whittle_put4(unsigned char *at, uint32_t number) {
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(number >> (8 * i));
    return at + 4;
}

static unsigned char *whittle_put8(unsigned char *at, uint64_t number) {
    for (int i = 0; i < 8; i++)
        at[i] = (unsigned char)(number >> (8 * i));
    return at + 8;
}

/* Begins a record. The caller writes the rest, whose length is given. */
static unsigned char *whittle_tag(char tag, size_t length) {
    if (whittle.buffered + 2 + WHITTLE_LARGEST_REST > WHITTLE_BUFFER_BYTES)
        whittle_flush();
    unsigned char *at = whittle.buffer + whittle.buffered;
    at[0] = (unsigned char)tag;
    at[1] = (unsigned char)length;
    whittle.buffered += 2 + length;
    return at + 2;
}

/* The number of a site. A new site is written to the file. */
static uint32_t whittle_named_site(const char *text) {
    whittle_table *table = &whittle.by_text;
    size_t at = table->size ? whittle_hash(text, strlen(text), 1) & (table->size - 1) : 0;
    for (; table->size && table->slots[at] != WHITTLE_NONE; at = (at + 1) & (table->size - 1))
        if (strcmp(whittle.sites[table->slots[at]], text) == 0)
            return table->slots[at];
    size_t length = strlen(text);
    uint32_t number = whittle.site_count;
    whittle.sites = whittle_grown(whittle.sites, number, sizeof *whittle.sites);
    whittle.defaults = whittle_grown(whittle.defaults, number, sizeof *whittle.defaults);
    whittle.sites[number] = malloc(length + 1);
    if (!whittle.sites[number])
        whittle_fail("there is no memory left", text);
    memcpy(whittle.sites[number], text, length + 1);
    whittle.defaults[number] = 0;
    whittle.site_count++;
    whittle_insert(table, number, whittle_text_hash);
    unsigned char head[6] = {'S', WHITTLE_LONG_RECORD};
    whittle_put4(head + 2, (uint32_t)length);
    whittle_flush();
    fwrite(head, 1, sizeof head, whittle.record);
    fwrite(text, 1, length, whittle.record);
    return number;
}

/* The number of a site whose text is a literal, so that its address tells which it is. Two texts must not take turns in one
 * place: finding a site by its text takes longer than everything else about a draw. */
static uint32_t whittle_site(const char *text) {
    uintptr_t address = (uintptr_t)text;
    size_t at = (address ^ (address >> 8)) & (WHITTLE_KNOWN_PLACES - 1);
    for (int tries = 0; whittle.places[at].text && tries < WHITTLE_TRIED_PLACES; tries++) {
        if (whittle.places[at].text == text)
            return whittle.places[at].site;
        at = (at + 1) & (WHITTLE_KNOWN_PLACES - 1);
    }
    whittle.places[at].site = whittle_named_site(text);
    whittle.places[at].text = text;
    return whittle.places[at].site;
}

static void whittle_end(int outcome, uint32_t node) {
    unsigned char *rest = whittle_tag('Z', 13);
    *rest = (unsigned char)outcome;
    whittle_put4(whittle_put8(rest + 1, whittle.misaligned), node);
    whittle_flush();
    fclose(whittle.record);
    whittle.record = NULL;
}

/* Exits the program: its output is not needed. */
static void whittle_stop(int outcome, uint32_t node) {
    whittle_end(outcome, node);
    _Exit(0);
}

/* -- the file to replay */

/* The first step of its kind and site within a step: the head of the chain. */
static uint32_t whittle_head(uint32_t within, int kind, uint32_t site) {
    uint32_t key[3] = {within, (uint32_t)kind, site};
    const whittle_table *table = &whittle.by_place;
    size_t at = table->size ? whittle_hash(key, sizeof key, 2) & (table->size - 1) : 0;
    for (; table->size && table->slots[at] != WHITTLE_NONE; at = (at + 1) & (table->size - 1)) {
        const whittle_node *node = &whittle.nodes[table->slots[at]];
        if (node->within == within && node->kind == kind && node->site == site)
            return table->slots[at];
    }
    return WHITTLE_NONE;
}

static uint32_t whittle_add(uint32_t within, int kind, uint32_t site) {
    uint32_t number = whittle.node_count, head = number ? whittle_head(within, kind, site) : WHITTLE_NONE;
    whittle.nodes = whittle_grown(whittle.nodes, number, sizeof *whittle.nodes);
    whittle_node node = {0};
    node.within = within, node.site = site, node.kind = kind, node.due = number;
    node.same = node.first = node.last = node.next = WHITTLE_NONE;
    whittle.nodes[number] = node;
    whittle.node_count++;
    if (number == 0)
        return number;
    whittle_node *outer = &whittle.nodes[within];
    if (outer->first == WHITTLE_NONE)
        outer->first = number;
    else
        whittle.nodes[outer->last].next = number;
    outer->last = number;
    if (head == WHITTLE_NONE) {
        whittle_insert(&whittle.by_place, number, whittle_place_hash);
    } else {
        /* While the file is read, the head's `due` is the end of the chain. */
        whittle.nodes[whittle.nodes[head].due].same = number;
        whittle.nodes[head].due = number;
    }
    return number;
}

static uint64_t whittle_number(const unsigned char *bytes, int count) {
    uint64_t number = 0;
    while (count--)
        number = number << 8 | bytes[count];
    return number;
}

static unsigned char *whittle_contents(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    unsigned char *bytes = NULL;
    size_t room = WHITTLE_BUFFER_BYTES, got;
    if (!file)
        whittle_fail("cannot read the file that WHITTLE_TRACE_REPLAY names", path);
    for (*length = 0;; *length += got) {
        if (!bytes || *length == room)
            bytes = realloc(bytes, bytes ? (room *= 2) : room);
        if (!bytes)
            whittle_fail("there is no memory left", path);
        got = fread(bytes + *length, 1, room - *length, file);
        if (got == 0)
            break;
    }
    fclose(file);
    return bytes;
}

/* The length of the record at `at`, and where its rest begins; 0 if the file ends before. */
static size_t whittle_rest(const unsigned char *bytes, size_t length, size_t at, int is_first_version, size_t *size) {
    size_t rest = at + 2;
    if (length - at < 2)
        return 0;
    *size = bytes[at + 1];
    if (is_first_version || *size == WHITTLE_LONG_RECORD) {
        rest = is_first_version ? at + 5 : at + 6;
        if (length < rest)
            return 0;
        *size = whittle_number(bytes + rest - 4, 4);
    }
    return *size <= length - rest ? rest : 0;
}

/* Reads the numbers of a draw after its maximum. */
static void whittle_read_draw(whittle_node *node, const unsigned char *rest, size_t size) {
    int width = rest[0] & WHITTLE_SHORT ? 4 : 8;
    size_t count = (size - 5) / (size_t)width, wanted = rest[0] & WHITTLE_WITH_OUTPUT ? 3 : 2;
    node->single = count == wanted;
    node->has_output = node->single && wanted == 3;
    node->value = node->single ? whittle_number(rest + 5 + width, width) : 0;
    node->output = node->has_output ? whittle_number(rest + 5 + 2 * width, width) : 0;
}

static void whittle_read(const char *path) {
    size_t length, at = 16, size, start;
    unsigned char *bytes = whittle_contents(path, &length);
    uint32_t *known = NULL, count = 0, within = 0;
    int is_first_version = length >= 16 && memcmp(bytes, "whittle-trace 1\n", 16) == 0;
    if (length < 16 || (!is_first_version && memcmp(bytes, "whittle-trace 2\n", 16) != 0))
        whittle_fail("this is not a binary trace file", path);
    whittle_add(WHITTLE_NONE, WHITTLE_CALL, WHITTLE_NONE);
    for (; (start = whittle_rest(bytes, length, at, is_first_version, &size)); at = start + size) {
        const unsigned char *rest = bytes + start;
        char tag = (char)bytes[at];
        int with_kind = tag == 'O' || tag == 'D';
        uint32_t site = 0;
        if (tag == 'O' || tag == 'D' || tag == 'V') {
            uint64_t number = size >= 5 ? whittle_number(rest + with_kind, 4) : count;
            if (number >= count || (tag == 'D' && size < 9))
                whittle_fail("a record of the trace makes no sense", path);
            site = known[number];
        }
        if (tag == 'S') {
            char *text = malloc(size + 1);
            if (!text)
                whittle_fail("there is no memory left", path);
            memcpy(text, rest, size);
            text[size] = 0;
            known = whittle_grown(known, count, sizeof *known);
            known[count++] = whittle_named_site(text);
            free(text);
        } else if (tag == 'O') {
            within = whittle_add(within, rest[0], site);
        } else if (tag == 'C' && within != 0) {
            within = whittle.nodes[within].within;
        } else if (tag == 'D') {
            uint32_t added = whittle_add(within, WHITTLE_DRAW, site);
            whittle_read_draw(&whittle.nodes[added], rest, size);
        } else if (tag == 'V' && size == 12) {
            whittle.defaults[site] = whittle_number(rest + 4, 8);
        }
    }
    for (uint32_t i = 0; i < whittle.node_count; i++)
        whittle.nodes[i].due = i;
    free(known);
    free(bytes);
}

/* -- replaying */

static void whittle_check_all_occurred(uint32_t scope) {
    if (!whittle.halts || scope == WHITTLE_NONE)
        return;
    for (uint32_t i = whittle.nodes[scope].first; i != WHITTLE_NONE; i = whittle.nodes[i].next)
        if (!whittle.nodes[i].occurred)
            whittle_stop(WHITTLE_HALTED, i);
}

/* The step of the file that matches this one. */
static uint32_t whittle_fit(int kind, uint32_t site) {
    uint32_t scope = whittle.open[whittle.depth - 1];
    if (scope == WHITTLE_NONE)
        return WHITTLE_NONE;
    uint32_t head = whittle_head(scope, kind, site);
    uint32_t fitting = head == WHITTLE_NONE ? head : whittle.nodes[head].due;
    if (fitting != WHITTLE_NONE) {
        whittle.nodes[fitting].occurred = 1;
        whittle.nodes[head].due = whittle.nodes[fitting].same;
    } else if (whittle.halts) {
        whittle_stop(WHITTLE_HALTED, scope);
    }
    return fitting;
}

static uint64_t whittle_output(const whittle_outputs *outputs, uint64_t value) {
    return outputs->kind == WHITTLE_ITEMS ? outputs->fingerprint((size_t)value, outputs->context) : outputs->low + value;
}

/* Finds the number up to max with the output of a step, or with its value if there is no output. */
static int whittle_find(const whittle_node *node, uint64_t max, const whittle_outputs *outputs, uint64_t *found) {
    *found = node->value;
    if (outputs->kind == WHITTLE_UNKNOWN || !node->has_output)
        return *found <= max;
    if (outputs->kind == WHITTLE_NUMBERS)
        return (*found = node->output - outputs->low) <= max;
    if (node->value <= max && whittle_output(outputs, node->value) == node->output)
        return 1;
    for (*found = 0; *found <= max; ++*found)
        if (whittle_output(outputs, *found) == node->output)
            return 1;
    return 0;
}

static uint64_t whittle_told(uint32_t site, uint64_t max, const whittle_outputs *outputs) {
    uint32_t fitting = whittle_fit(WHITTLE_DRAW, site);
    int single = fitting != WHITTLE_NONE && whittle.nodes[fitting].single;
    uint64_t found, value = single ? whittle.nodes[fitting].value : whittle.defaults[site];
    if (single && whittle_find(&whittle.nodes[fitting], max, outputs, &found))
        return found;
    if (whittle.halts)
        whittle_stop(WHITTLE_HALTED, fitting == WHITTLE_NONE ? 0 : fitting);
    whittle.misaligned++;
    return value < max ? value : max;
}

static void whittle_put_draw(uint32_t site, uint64_t max, uint64_t value, const whittle_outputs *outputs) {
    int has_output = outputs->kind != WHITTLE_UNKNOWN;
    uint64_t output = has_output ? whittle_output(outputs, value) : 0;
    /* Most of the cost of recording is the size of the file. */
    int is_narrow = (max | output) <= UINT16_MAX, is_short = (max | output) <= UINT32_MAX;
    int width = is_narrow ? 2 : is_short ? 4 : 8, flag = is_narrow ? WHITTLE_NARROW : is_short ? WHITTLE_SHORT : 0;
    unsigned char *rest = whittle_tag('D', (size_t)(5 + (has_output ? 3 : 2) * width));
    *rest = (unsigned char)((has_output ? WHITTLE_WITH_OUTPUT : 0) | flag);
    rest = whittle_put4(rest + 1, site);
    if (is_narrow) {
        rest = whittle_put2(whittle_put2(rest, max), value);
        if (has_output)
            whittle_put2(rest, output);
    } else if (is_short) {
        rest = whittle_put4(whittle_put4(rest, (uint32_t)max), (uint32_t)value);
        if (has_output)
            whittle_put4(rest, (uint32_t)output);
    } else {
        rest = whittle_put8(whittle_put8(rest, max), value);
        if (has_output)
            whittle_put8(rest, output);
    }
}

/* Draws a number, which is `own` if nothing is replayed. */
static uint64_t whittle_recorded(const char *text, uint64_t max, uint64_t own, const whittle_outputs *outputs) {
    if (!whittle.record)
        return own;
    if (++whittle.draws > whittle.budget)
        whittle_stop(WHITTLE_OVER_BUDGET, 0);
    uint32_t site = whittle_site(text);
    uint64_t value = whittle.nodes ? whittle_told(site, max, outputs) : own;
    whittle_put_draw(site, max, value, outputs);
    return value;
}

static void whittle_push(uint32_t fitting) {
    if (whittle.depth == whittle.room) {
        whittle.room = whittle.room ? 2 * whittle.room : 64;
        whittle.open = realloc(whittle.open, whittle.room * sizeof *whittle.open);
        if (!whittle.open)
            whittle_fail("there is no memory left", "scopes are nested too deeply");
    }
    whittle.open[whittle.depth++] = fitting;
}

static size_t whittle_open(int kind, uint32_t site) {
    uint32_t fitting = whittle.nodes ? whittle_fit(kind, site) : WHITTLE_NONE;
    whittle_push(fitting);
    unsigned char *rest = whittle_tag('O', 5);
    *rest = (unsigned char)kind;
    whittle_put4(rest + 1, site);
    return whittle.depth - 1;
}

static size_t whittle_open_at(int kind, const char *text) {
    return whittle.record ? whittle_open(kind, whittle_site(text)) : 0;
}

static void whittle_finish(void) {
    if (!whittle.record)
        return;
    whittle_leave(1);
    whittle_check_all_occurred(whittle.open[0]);
    whittle_end(WHITTLE_COMPLETE, 0);
}

/* -- what generators call */

static const char *whittle_taken(const char *name) {
    /* POSIX, but not C99: it exists, but is not declared. */
    extern int unsetenv(const char *);
    static char *kept[4];
    static size_t count;
    const char *value = getenv(name);
    if (!value || !*value)
        return NULL;
    size_t length = strlen(value);
    char *copy = kept[count++] = malloc(length + 1);
    if (!copy)
        whittle_fail("there is no memory left", name);
    memcpy(copy, value, length + 1);
    unsetenv(name);
    return copy;
}

void whittle_start(uint64_t seed) {
    const char *record = whittle_taken("WHITTLE_TRACE_RECORD"), *replay = whittle_taken("WHITTLE_TRACE_REPLAY");
    const char *misfit = whittle_taken("WHITTLE_TRACE_MISFIT"), *budget = whittle_taken("WHITTLE_TRACE_BUDGET");
    whittle.state = seed;
    if (!record)
        return;
    if (strlen(record) > 6 && strcmp(record + strlen(record) - 6, ".jsonl") == 0)
        whittle_fail("only binary trace files can be written", record);
    if (!(whittle.record = fopen(record, "wb")))
        whittle_fail("cannot write the file that WHITTLE_TRACE_RECORD names", record);
    setvbuf(whittle.record, NULL, _IONBF, 0);
    fwrite("whittle-trace 2\n", 1, 16, whittle.record);
    whittle.halts = misfit && strcmp(misfit, "halt") == 0;
    whittle.budget = budget ? strtoull(budget, NULL, 10) : UINT64_MAX;
    if (replay)
        whittle_read(replay);
    whittle_push(replay ? 0 : WHITTLE_NONE);
    atexit(whittle_finish);
}

static uint64_t whittle_draw(const char *site, uint64_t max, const whittle_outputs *outputs) {
    return whittle_recorded(site, max, whittle.nodes ? 0 : whittle_up_to(max), outputs);
}

static uint64_t whittle_from(const char *site, uint64_t low, uint64_t high) {
    whittle_outputs numbers = {WHITTLE_NUMBERS, low, NULL, NULL};
    return low + whittle_draw(site, high - low, &numbers);
}

int64_t whittle_int_at(const char *site, int64_t low, int64_t high) {
    return (int64_t)whittle_from(site, (uint64_t)low, (uint64_t)high);
}

static whittle_outputs whittle_items(whittle_fingerprint fingerprint, const void *context) {
    whittle_outputs items = {WHITTLE_ITEMS, 0, fingerprint, context};
    return fingerprint ? items : whittle_no_outputs;
}

size_t whittle_choose_at(const char *site, size_t count, whittle_fingerprint fingerprint, const void *context) {
    whittle_outputs items = whittle_items(fingerprint, context);
    return (size_t)whittle_draw(site, (uint64_t)count - 1, &items);
}

uint64_t whittle_fingerprint_of(const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    uint64_t hash = 0xcbf29ce484222325u;
    while (size--)
        hash = (hash ^ *at++) * 0x100000001b3u;
    return hash;
}

typedef struct {
    const unsigned char *items;
    size_t size;
} whittle_array;

/* A small item is its own fingerprint: it costs least to compute and to write. */
static uint64_t whittle_item_in_array(size_t index, const void *context) {
    const whittle_array *array = context;
    const unsigned char *item = array->items + index * array->size;
    uint32_t own;
    if (array->size == 1)
        return *item;
    if (array->size != sizeof own)
        return whittle_fingerprint_of(item, array->size);
    memcpy(&own, item, sizeof own);
    return own;
}

size_t whittle_choose_item_at(const char *site, size_t count, const void *items, size_t size) {
    whittle_array array = {items, size};
    return whittle_choose_at(site, count, whittle_item_in_array, &array);
}

size_t whittle_weighted_at(const char *site, const unsigned *weights, size_t count, whittle_fingerprint fingerprint,
                           const void *context) {
    whittle_outputs items = whittle_items(fingerprint, context);
    uint64_t total = 0;
    size_t own = 0;
    for (size_t i = 0; i < count; i++)
        total += weights[i];
    if (!whittle.nodes)
        for (uint64_t left = whittle_up_to(total - 1); left >= weights[own]; own++)
            left -= weights[own];
    return (size_t)whittle_recorded(site, count - 1, own, &items);
}

/* A name may be in a buffer that changes. */
size_t whittle_enter(const char *name) { return whittle.record ? whittle_open(WHITTLE_CALL, whittle_named_site(name)) : 0; }

void whittle_leave(size_t scope) {
    while (whittle.record && whittle.depth > scope) {
        whittle_tag('C', 0);
        whittle_check_all_occurred(whittle.open[--whittle.depth]);
    }
}

whittle_part whittle_begin_rounds(const char *count, const char *loop, uint64_t least, uint64_t most) {
    whittle_part rounds = {0, whittle_from(count, least, most)};
    rounds.scope = whittle_open_at(WHITTLE_LOOP, loop);
    return rounds;
}

int whittle_next_round(whittle_part *rounds) {
    /* Closes the previous round, if there was one, and whatever it left open. */
    whittle_leave(rounds->left ? rounds->scope + 1 : rounds->scope);
    if (!rounds->left)
        return 0;
    rounds->left--;
    whittle_open_at(WHITTLE_ITERATION, "");
    return 1;
}

whittle_part whittle_begin_optional(const char *selection, const char *whether) {
    whittle_part block = {whittle_open_at(WHITTLE_SELECTION, selection), 0};
    block.left = whittle_draw(whether, 1, &whittle_no_outputs);
    return block;
}

int whittle_next_block(whittle_part *block) {
    if (!block->left) {
        whittle_leave(block->scope);
        return 0;
    }
    block->left = 0;
    whittle_open_at(WHITTLE_BRANCH, "then");
    return 1;
}

#endif
