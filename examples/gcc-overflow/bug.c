/* Plans the next run of periodic jobs and prints the timetable in the order in which they are due.
   Times are seconds since the start of the service; INT_MAX means "not in this life". */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#define MINUTE 60
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)
#define GRACE 100
#define MAX_JOBS 16
#define NAME_SIZE 12

enum priority { LOW, NORMAL, HIGH };

struct job {
    char name[NAME_SIZE];
    int last_run;
    int period;
    enum priority priority;
    unsigned failures;
};

struct plan {
    struct job jobs[MAX_JOBS];
    int due[MAX_JOBS];
    int count;
};

static const char *priority_name(enum priority priority)
{
    switch (priority) {
    case LOW:
        return "low";
    case NORMAL:
        return "normal";
    case HIGH:
        return "high";
    }
    return "?";
}

static int add_job(struct plan *plan, const char *name, int last_run, int period, enum priority priority)
{
    struct job *job;
    if (plan->count == MAX_JOBS || strlen(name) >= NAME_SIZE)
        return 0;
    job = &plan->jobs[plan->count++];
    strcpy(job->name, name);
    job->last_run = last_run;
    job->period = period;
    job->priority = priority;
    job->failures = 0;
    return 1;
}

static struct job *find_job(struct plan *plan, const char *name)
{
    int i;
    for (i = 0; i < plan->count; i++)
        if (strcmp(plan->jobs[i].name, name) == 0)
            return &plan->jobs[i];
    return NULL;
}

/* A job that fails again and again is tried less and less often. */
static int backoff(const struct job *job)
{
    unsigned shift = job->failures < 4 ? job->failures : 4;
    int period = job->period << shift;
    return period > DAY ? DAY : period;
}

/* The latest moment at which a run still counts as on time. */
static int with_grace(int time)
{
    int limit = time + GRACE;
    if (limit < time)
        return INT_MAX;
    return limit;
}

static int next_due(const struct job *job)
{
    int wait = job->failures > 0 ? backoff(job) : job->period;
    int due = job->last_run > INT_MAX - wait ? INT_MAX : job->last_run + wait;
    return job->priority == HIGH ? due : with_grace(due);
}

static void make_plan(struct plan *plan)
{
    int i, j;
    for (i = 0; i < plan->count; i++)
        plan->due[i] = next_due(&plan->jobs[i]);
    for (i = 1; i < plan->count; i++) {
        struct job job = plan->jobs[i];
        int due = plan->due[i];
        for (j = i; j > 0 && plan->due[j - 1] > due; j--) {
            plan->jobs[j] = plan->jobs[j - 1];
            plan->due[j] = plan->due[j - 1];
        }
        plan->jobs[j] = job;
        plan->due[j] = due;
    }
}

static void print_plan(const struct plan *plan)
{
    unsigned checksum = 17;
    int i;
    for (i = 0; i < plan->count; i++) {
        int due = plan->due[i];
        printf("%-12s %-7s", plan->jobs[i].name, priority_name(plan->jobs[i].priority));
        if (due == INT_MAX)
            printf("       never\n");
        else
            printf("%4dd %02d:%02d\n", due / DAY, due % DAY / HOUR, due % HOUR / MINUTE);
        checksum = checksum * 31 + (unsigned)due;
    }
    printf("%d jobs, checksum %08x\n", plan->count, checksum);
}

int main(void)
{
    static struct plan plan;
    struct job *job;
    int added = 0;

    added += add_job(&plan, "backup", 5 * HOUR, DAY, NORMAL);
    added += add_job(&plan, "heartbeat", 8 * HOUR, 5 * MINUTE, HIGH);
    added += add_job(&plan, "rotate-logs", 2 * HOUR, 6 * HOUR, LOW);
    added += add_job(&plan, "retire", INT_MAX - HOUR, 2 * HOUR, NORMAL);
    added += add_job(&plan, "sync", 8 * HOUR, 30 * MINUTE, NORMAL);
    added += add_job(&plan, "a-name-that-is-too-long", 0, HOUR, LOW);

    job = find_job(&plan, "sync");
    if (job != NULL)
        job->failures += 3;

    make_plan(&plan);
    print_plan(&plan);
    return added == 5 ? 0 : 1;
}
