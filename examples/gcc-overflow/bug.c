/* Prints until when a run of each job counts as on time. Times are seconds since midnight; INT_MAX means "never". */
#include <limits.h>
#include <stdio.h>

#define MINUTE 60
#define HOUR (60 * MINUTE)
#define GRACE (2 * MINUTE)

static void print_time(int time)
{
    printf("%02d:%02d:%02d\n", time / HOUR, time % HOUR / MINUTE, time % MINUTE);
}

static void print_job(const char *name, int due)
{
    int limit = due + GRACE;
    printf("%-12s", name);
    if (limit < due)
        printf("never\n");
    else
        print_time(limit);
}

int main(void)
{
    print_job("backup", 5 * HOUR);
    print_job("rotate-logs", 8 * HOUR + 30 * MINUTE);
    print_job("retire", INT_MAX);
    print_job("sync", 12 * HOUR);
    return 0;
}
