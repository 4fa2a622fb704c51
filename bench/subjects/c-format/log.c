/* A logger for a weather station: readings come in, are smoothed, and go out as lines of text. */

typedef unsigned long size_type;
typedef long tick_t;
typedef unsigned char byte;

extern int printf(const char *format, ...);
extern int snprintf(char *to, size_type size, const char *format, ...);
extern void *malloc(size_type size);
extern void free(void *pointer);
extern char *strncpy(char *to, const char *from, size_type size);
extern int strcmp(const char *a, const char *b);

#define MAX_SENSORS 16
#define NAME_LENGTH 24
#define ARRAY_LENGTH(a) (sizeof(a) / sizeof((a)[0]))
#define LOG(level, ...) do { if ((level) >= log_level) printf(__VA_ARGS__); } while (0)

enum level { DEBUG, INFO, WARNING, ERROR };
enum kind { TEMPERATURE, HUMIDITY, PRESSURE, WIND };

static enum level log_level = INFO;

struct reading {
    tick_t when;
    double value;
    struct reading *next;
};

struct sensor {
    char name[NAME_LENGTH];
    enum kind kind;
    struct reading *first;
    struct reading *last;
    unsigned count;
    double mean;
    double weight;
};

struct station {
    const char *place;
    struct sensor sensors[MAX_SENSORS];
    unsigned used;
    tick_t started;
    struct { unsigned lost, late, good; } totals;
};

static const char *const kind_names[] = { "temperature", "humidity", "pressure", "wind" };
static const char *const units[] = { "C", "%", "hPa", "m/s" };

static const char *name_of(enum kind kind)
{
    if ((unsigned)kind >= ARRAY_LENGTH(kind_names))
        return "unknown";
    return kind_names[kind];
}

static struct sensor *find(struct station *station, const char *name)
{
    unsigned i;
    for (i = 0; i < station->used; i++)
        if (strcmp(station->sensors[i].name, name) == 0)
            return &station->sensors[i];
    return 0;
}

static struct sensor *add(struct station *station, const char *name, enum kind kind)
{
    struct sensor *sensor;
    if (station->used == MAX_SENSORS) {
        LOG(ERROR, "no room for %s, %u sensors\n", name, station->used);
        return 0;
    }
    sensor = &station->sensors[station->used++];
    strncpy(sensor->name, name, NAME_LENGTH - 1);
    sensor->name[NAME_LENGTH - 1] = '\0';
    sensor->kind = kind;
    sensor->first = sensor->last = 0;
    sensor->count = 0;
    sensor->mean = 0.0;
    sensor->weight = kind == WIND ? 0.5 : 0.125;
    LOG(DEBUG, "added %s (%s)\n", sensor->name, name_of(kind));
    return sensor;
}

static int plausible(enum kind kind, double value)
{
    switch (kind) {
    case TEMPERATURE:
        return value > -80.0 && value < 70.0;
    case HUMIDITY:
        return value >= 0.0 && value <= 100.0;
    case PRESSURE:
        return value > 850.0 && value < 1100.0;
    case WIND:
        return value >= 0.0 && value < 120.0;
    }
    return 0;
}

static int record(struct station *station, const char *name, tick_t when, double value)
{
    struct sensor *sensor = find(station, name);
    struct reading *reading;
    if (!sensor) {
        station->totals.lost++;
        return -1;
    }
    if (!plausible(sensor->kind, value)) {
        LOG(WARNING, "%s: %.2f %s is not plausible\n", name, value, units[sensor->kind]);
        station->totals.lost++;
        return -1;
    }
    if (sensor->last && sensor->last->when > when) {
        station->totals.late++;
        LOG(WARNING, "%s: late by %ld ticks\n", name, sensor->last->when - when);
        return 0;
    }
    reading = malloc(sizeof *reading);
    if (!reading)
        return -1;
    reading->when = when;
    reading->value = value;
    reading->next = 0;
    if (sensor->last)
        sensor->last->next = reading;
    else
        sensor->first = reading;
    sensor->last = reading;
    sensor->count++;
    sensor->mean += (value - sensor->mean) * sensor->weight;
    station->totals.good++;
    return 1;
}

static void forget_before(struct sensor *sensor, tick_t when)
{
    while (sensor->first && sensor->first->when < when) {
        struct reading *old = sensor->first;
        sensor->first = old->next;
        if (!sensor->first)
            sensor->last = 0;
        sensor->count--;
        free(old);
    }
}

static void report(const struct station *station)
{
    char line[128];
    unsigned i;
    printf("%s: %u sensors, %u good, %u late, %u lost\n", station->place, station->used, station->totals.good,
           station->totals.late, station->totals.lost);
    for (i = 0; i < station->used; i++) {
        const struct sensor *sensor = &station->sensors[i];
        const struct reading *last = sensor->last;
        if (!last) {
            LOG(INFO, "%-24s nothing yet\n", sensor->name);
            continue;
        }
        snprintf(line, sizeof line, "%-24s %8.2f %s", sensor->name, sensor->mean, units[sensor->kind]);
        LOG(INFO, "%s at %d, %u readings\n", line, last->when, sensor->count);
    }
}

static byte checksum(const char *text)
{
    byte sum = 0;
    while (*text)
        sum = (byte)(sum * 31 + (byte)*text++);
    return sum;
}

int main(void)
{
    static struct station station = { .place = "north pier", .started = 1000 };
    static const struct { const char *name; enum kind kind; } known[] = {
        { "roof", TEMPERATURE }, { "cellar", HUMIDITY }, { "mast", WIND }, { "hut", PRESSURE },
    };
    unsigned i;
    tick_t now;
    for (i = 0; i < ARRAY_LENGTH(known); i++)
        add(&station, known[i].name, known[i].kind);
    for (now = station.started; now < station.started + 20; now++) {
        record(&station, "roof", now, 11.5 + (double)(now % 7));
        record(&station, "mast", now, (double)(now % 11));
        if (now % 3 == 0)
            record(&station, "hut", now, 1013.0);
    }
    for (i = 0; i < station.used; i++)
        forget_before(&station.sensors[i], station.started + 5);
    report(&station);
    printf("%x\n", (unsigned)checksum(station.place));
    return 0;
}
