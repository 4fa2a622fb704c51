// The fence around third-party C: what runs inside it can crash, loop or take memory, and the thread goes on behind it.
// `fence.rs` is the interface; docs/decisions/0015-a-fence-around-parsers.md has the reasons and the limits.
//
// - A crash (a signal of the thread itself) jumps back to where the fence was entered. The frames between are those of C,
//   and of functions in Rust that own nothing. Outside a fence, a crash starts the program again if it asked for that; else
//   signals go to the handlers that were there before.
// - Memory of tree-sitter's core goes through counting functions. Too much of it jumps back too.
// - A watching thread stops what has used too much processor time: it replaces the functions by which a scanner reads, so
//   that the scanner leaves at its next step, never in the middle of malloc. Only code that does not even read gets a
//   signal.

#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#ifdef __APPLE__
#include <malloc/malloc.h>
#define usable_size malloc_size
#else
#include <malloc.h>
#define usable_size malloc_usable_size
#endif

// How a fence was left, if not by a crash, whose signal it is then. `fence.rs` has the same numbers. What did not even read
// was left by a signal, in the middle of anything.
enum { HUNG = -1, GREEDY = -2, HUNG_ANYWHERE = -3 };

// How often the watching thread looks, and how much processor time a stopped parser gets to take its next step.
enum { LOOK_MILLIS = 200, STEP_MILLIS = 1000 };

// The beginning of tree-sitter's TSParser: what it hands to scanners.
struct lexer {
    int32_t lookahead;
    uint16_t result_symbol;
    void (*advance)(struct lexer *, bool);
    void (*mark_end)(struct lexer *);
    uint32_t (*get_column)(struct lexer *);
    bool (*is_at_included_range_start)(const struct lexer *);
    bool (*eof)(const struct lexer *);
    void (*log)(const struct lexer *, const char *, ...);
};

// What a run in the fence uses; Rust reads it.
struct whittle_meter {
    int64_t live;      // bytes that are allocated and not freed
    int64_t allocated; // bytes that were ever allocated
    int64_t max_live;
    int64_t max_millis; // of processor time
    uintptr_t *blocks; // a hash table of the blocks that are live, so that those can be freed which a left parser lost
    uint32_t block_bits; // of the number of slots
    uint32_t block_count;
    bool keeps_blocks;
};

struct fence {
    sigjmp_buf back;
    struct whittle_meter *meter;
    struct lexer *lexer;
    struct fence *next;
    pthread_t thread;
    clockid_t clock;
    int64_t first_seen; // processor time in milliseconds; negative before the first look
    volatile sig_atomic_t is_stopped;
};

// The fence that this thread is in. With this model of thread-local storage it is found by one instruction.
static __thread struct fence *inside __attribute__((tls_model("initial-exec")));

// All fences that threads are in, and what protects the list.
static struct fence *running;
static pthread_mutex_t running_lock = PTHREAD_MUTEX_INITIALIZER;

static const int CAUGHT[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
enum { CAUGHT_COUNT = sizeof CAUGHT / sizeof *CAUGHT };
static struct sigaction before[CAUGHT_COUNT];

static _Noreturn void leave(int how) {
    struct fence *fence = inside;
    inside = NULL;
    siglongjmp(fence->back, how);
}

// The program to start in place of this one after a crash outside a fence, if there is one.
static char **restart_words, **restart_environment;

static void on_signal(int signal, siginfo_t *info, void *context) {
    // By SIGABRT, others end a process on purpose.
    bool is_crash = info->si_code != SI_USER || signal != SIGABRT;
    if (inside && is_crash) leave(inside->is_stopped ? HUNG_ANYWHERE : signal);
    if (restart_words && is_crash) {
        sigset_t none;
        sigemptyset(&none);
        pthread_sigmask(SIG_SETMASK, &none, NULL);
        execve(restart_words[0], restart_words + 1, restart_environment);
    }
    for (int at = 0; at < CAUGHT_COUNT; at++) {
        if (CAUGHT[at] != signal) continue;
        if ((before[at].sa_flags & SA_SIGINFO) && before[at].sa_sigaction) {
            before[at].sa_sigaction(signal, info, context);
        } else if (before[at].sa_handler == SIG_DFL || before[at].sa_handler == SIG_IGN) {
            // The faulting instruction, or abort, or this call raises it again.
            sigaction(signal, &before[at], NULL);
            raise(signal);
        } else {
            before[at].sa_handler(signal);
        }
    }
}

#ifdef __GLIBC__
// A failed assertion of a parser prints nothing. Others end as ever.
void __assert_fail(const char *assertion, const char *file, unsigned int line, const char *function) {
    if (inside) leave(SIGABRT);
    fprintf(stderr, "%s:%u: %s: assertion `%s' failed\n", file, line, function ? function : "?", assertion);
    abort();
}
#endif

enum { FEWEST_BLOCK_BITS = 8 };

// The slot of a block. Blocks that are close to each other are so in the table, too: a parser frees what it has just allocated.
static inline size_t home(const struct whittle_meter *meter, uintptr_t block) {
    uint64_t region = (uint64_t)(block >> 9) * 0x9E3779B97F4A7C15;
    return (size_t)(region >> (64 - meter->block_bits + 4) << 4 | (block >> 5 & 15));
}

static void put(struct whittle_meter *meter, uintptr_t block) {
    size_t mask = ((size_t)1 << meter->block_bits) - 1, at = home(meter, block);
    while (meter->blocks[at]) at = (at + 1) & mask;
    meter->blocks[at] = block;
}

static void grow(struct whittle_meter *meter) {
    uintptr_t *old = meter->blocks;
    size_t slots = old ? (size_t)1 << meter->block_bits : 0;
    uint32_t bits = old ? meter->block_bits + 1 : FEWEST_BLOCK_BITS;
    uintptr_t *blocks = calloc((size_t)1 << bits, sizeof *blocks);
    if (!blocks) leave(GREEDY);
    meter->blocks = blocks;
    meter->block_bits = bits;
    for (size_t at = 0; at < slots; at++)
        if (old[at]) put(meter, old[at]);
    free(old);
}

// Makes room for one more block. It comes before the allocation: what is left here has lost nothing.
static void make_room(struct whittle_meter *meter) {
    if (!meter->blocks || meter->block_count >= ((uint32_t)3 << meter->block_bits) / 4) grow(meter);
}

static void note(struct whittle_meter *meter, void *block) {
    put(meter, (uintptr_t)block);
    meter->block_count++;
}

// A block may be from before this fence, and not in the table.
static void forget(struct whittle_meter *meter, void *block) {
    size_t mask = ((size_t)1 << meter->block_bits) - 1, gap = home(meter, (uintptr_t)block);
    while (meter->blocks[gap] != (uintptr_t)block) {
        if (!meter->blocks[gap]) return;
        gap = (gap + 1) & mask;
    }
    // What is behind the gap and was put there only because the gap was taken moves up.
    for (size_t at = (gap + 1) & mask; meter->blocks[at]; at = (at + 1) & mask) {
        if (((at - home(meter, meter->blocks[at])) & mask) < ((at - gap) & mask)) continue;
        meter->blocks[gap] = meter->blocks[at];
        gap = at;
    }
    meter->blocks[gap] = 0;
    meter->block_count--;
}

// Frees the table, and with it the blocks that are in it if nobody can have them any more.
void whittle_fence_forget(struct whittle_meter *meter, bool are_lost) {
    if (!meter->blocks) return;
    for (size_t at = 0; are_lost && at < (size_t)1 << meter->block_bits; at++) free((void *)meter->blocks[at]);
    free(meter->blocks);
    meter->blocks = NULL;
    meter->block_count = 0;
}

// Before every allocation, since nothing has changed yet: leaves if there would be too much of something. Else returns the
// fence. `freed` is what goes with it: arrays of tree-sitter grow by doubling, which may be most of what is allowed.
static inline struct fence *entered(size_t size, int64_t freed) {
    struct fence *fence = inside;
    if (!fence) return NULL;
    if (fence->is_stopped) leave(HUNG);
    int64_t max_live = fence->meter->max_live;
    if (size > (size_t)max_live || fence->meter->live + (int64_t)size - freed > max_live) leave(GREEDY);
    if (fence->meter->keeps_blocks) make_room(fence->meter);
    return fence;
}

static _Noreturn void no_memory(size_t size) {
    if (inside) leave(GREEDY);
    fprintf(stderr, "tree-sitter failed to allocate %zu bytes\n", size);
    abort();
}

static inline void *counted(struct fence *fence, void *block, size_t size, int64_t freed) {
    if (!block && size) no_memory(size);
    if (fence && block) {
        int64_t usable = (int64_t)usable_size(block);
        fence->meter->allocated += usable;
        fence->meter->live += usable - freed;
        if (fence->meter->keeps_blocks) note(fence->meter, block);
    }
    return block;
}

void *whittle_fence_malloc(size_t size) {
    struct fence *fence = entered(size, 0);
    return counted(fence, malloc(size), size, 0);
}

void *whittle_fence_calloc(size_t number, size_t size) {
    struct fence *fence = entered(number * size, 0);
    return counted(fence, calloc(number, size), number * size, 0);
}

void *whittle_fence_realloc(void *block, size_t size) {
    int64_t freed = inside && block ? (int64_t)usable_size(block) : 0;
    struct fence *fence = entered(size, freed);
    if (fence && block && fence->meter->blocks) forget(fence->meter, block);
    return counted(fence, realloc(block, size), size, freed);
}

void whittle_fence_free(void *block) {
    struct fence *fence = inside;
    if (fence && block) {
        fence->meter->live -= (int64_t)usable_size(block);
        if (fence->meter->blocks) forget(fence->meter, block);
    }
    free(block);
}

static int64_t millis(clockid_t clock) {
    struct timespec time = {0, 0};
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

// The processor time that this thread has used, in milliseconds.
int64_t whittle_fence_millis(void) {
    return millis(CLOCK_THREAD_CPUTIME_ID);
}

// Gives what was freed back to the system. The C library keeps it, in pieces that large blocks do not fit in.
void whittle_fence_give_back(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

// What a stopped scanner finds in place of the functions by which it reads.
static void stopped_advance(struct lexer *lexer, bool skip) { (void)lexer, (void)skip, leave(HUNG); }
static void stopped_mark_end(struct lexer *lexer) { (void)lexer, leave(HUNG); }
static uint32_t stopped_column(struct lexer *lexer) { (void)lexer, leave(HUNG); }
static bool stopped_eof(const struct lexer *lexer) { (void)lexer, leave(HUNG); }

static void look_at(struct fence *fence) {
    int64_t now = millis(fence->clock);
    if (fence->first_seen < 0) fence->first_seen = now;
    int64_t over = now - fence->first_seen - fence->meter->max_millis;
    if (over < 0) return;
    if (!fence->is_stopped) {
        fence->is_stopped = 1;
        if (fence->lexer) {
            fence->lexer->advance = stopped_advance;
            fence->lexer->mark_end = stopped_mark_end;
            fence->lexer->get_column = stopped_column;
            fence->lexer->is_at_included_range_start = stopped_eof;
            fence->lexer->eof = stopped_eof;
        }
    } else if (over > STEP_MILLIS) {
        pthread_kill(fence->thread, SIGABRT);
    }
}

static void *watch(void *unused) {
    (void)unused;
    for (;;) {
        struct timespec pause = {0, LOOK_MILLIS * 1000000L};
        nanosleep(&pause, NULL);
        pthread_mutex_lock(&running_lock);
        for (struct fence *fence = running; fence; fence = fence->next) look_at(fence);
        pthread_mutex_unlock(&running_lock);
    }
    return NULL;
}

static void start_watch(void) {
    sigset_t all, old;
    pthread_t thread;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    // Without it, only what loops for ever is not stopped.
    if (pthread_create(&thread, NULL, watch, NULL) == 0) pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

static void prepare_process(void) {
    // SA_NODEFER: the handler is left by a jump, after which the same signal must be able to come again.
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    action.sa_sigaction = on_signal;
    sigemptyset(&action.sa_mask);
    for (int at = 0; at < CAUGHT_COUNT; at++) sigaction(CAUGHT[at], &action, &before[at]);
    start_watch();
}

// A handler needs a stack of its own if the other one is full. Threads of Rust have one; others get one, for good.
static void prepare_thread(void) {
    stack_t stack;
    if (sigaltstack(NULL, &stack) == 0 && !(stack.ss_flags & SS_DISABLE)) return;
    size_t size = SIGSTKSZ > 65536 ? SIGSTKSZ : 65536;
    stack = (stack_t){.ss_sp = malloc(size), .ss_size = size};
    if (stack.ss_sp) sigaltstack(&stack, NULL);
}

static pthread_once_t prepared = PTHREAD_ONCE_INIT;

// From now on, a crash outside a fence starts `words[0]` with the arguments that follow it, which include its name.
void whittle_fence_restart(char **words, char **environment) {
    restart_words = words;
    restart_environment = environment;
    pthread_once(&prepared, prepare_process);
}

static void unlist(struct fence *gone) {
    pthread_mutex_lock(&running_lock);
    struct fence **link = &running;
    while (*link != gone) link = &(*link)->next;
    *link = gone->next;
    pthread_mutex_unlock(&running_lock);
}

// Runs `body` in the fence; 0 if it came to its end, else how it was left. `lexer` is the parser's, or NULL.
int whittle_fence_run(void (*body)(void *), void *data, struct whittle_meter *meter, void *lexer) {
    static __thread bool is_prepared __attribute__((tls_model("initial-exec")));
    pthread_once(&prepared, prepare_process);
    if (!is_prepared) prepare_thread();
    is_prepared = true;

    struct fence fence = {.meter = meter, .lexer = lexer, .thread = pthread_self(), .first_seen = -1};
#ifdef __APPLE__
    fence.clock = CLOCK_MONOTONIC;
#else
    if (pthread_getcpuclockid(fence.thread, &fence.clock)) fence.clock = CLOCK_MONOTONIC;
#endif
    pthread_mutex_lock(&running_lock);
    fence.next = running;
    running = &fence;
    pthread_mutex_unlock(&running_lock);

    int how = sigsetjmp(fence.back, 0);
    if (how == 0) {
        inside = &fence;
        body(data);
        inside = NULL;
    }
    unlist(&fence);
    return how;
}
