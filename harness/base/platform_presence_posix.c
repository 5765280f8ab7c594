/* SPDX-License-Identifier: Apache-2.0 */
/* Identities of processes for files that outlive the process and the boot of the machine. */
#include "harness/base/platform.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

/* The first line of a file without its newline; "-" if there is none. */
static void first_line(const char *path, char *buf, size_t size)
{
    FILE *f = fopen(path, "r");
    if (!f || !fgets(buf, (int)size, f))
        snprintf(buf, size, "-");
    buf[strcspn(buf, "\n")] = '\0';
    if (f)
        fclose(f);
}

/* A number from /proc/PID/stat by its field number there, from 3 on; 0 if it is not available. */
static uint64_t field_of(const char *line, int number)
{
    const char *p = strrchr(line, ')'); /* the name before it may contain any character */
    for (int field = 2; p && field < number; ++field)
        p = strchr(p + 1, ' ');
    return p ? strtoull(p + 1, NULL, 10) : 0;
}

static void read_stat(long pid, char *line, size_t size)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    first_line(path, line, size);
}

/* Is it a zombie? */
static bool is_ended(const char *line)
{
    const char *p = strrchr(line, ')');
    return p && p[1] == ' ' && (p[2] == 'Z' || p[2] == 'X');
}

static bool has_ended(long pid)
{
    char line[1024];
    read_stat(pid, line, sizeof line);
    return is_ended(line);
}

/* When a process started, in ticks since the machine booted. Process ids are reused, so that an id alone identifies
   nothing. */
static uint64_t started(long pid)
{
    char line[1024];
    read_stat(pid, line, sizeof line);
    return field_of(line, 22);
}

static void describe(long pid, char *buf, size_t size)
{
    char host[128] = "-", boot[64];
    gethostname(host, sizeof host - 1);
    for (char *p = host; *p; ++p)
        if (*p == ' ')
            *p = '_';
    first_line("/proc/sys/kernel/random/boot_id", boot, sizeof boot);
    snprintf(buf, size, "%ld %" PRIu64 " %s %s", pid, started(pid), host, boot);
}

void platform_presence_self(char *buf, size_t size)
{
    describe((long)getpid(), buf, size);
}

platform_presence platform_presence_of(const char *text, long *pid)
{
    char host[128], boot[64], own_host[128], own_boot[64], now[512];
    uint64_t start, own_start;
    long own_pid;
    if (!text || sscanf(text, "%ld %" SCNu64 " %127s %63s", pid, &start, host, boot) != 4 || *pid <= 0)
        return PLATFORM_PRESENCE_UNKNOWN;
    describe(*pid, now, sizeof now);
    if (sscanf(now, "%ld %" SCNu64 " %127s %63s", &own_pid, &own_start, own_host, own_boot) != 4)
        return PLATFORM_PRESENCE_UNKNOWN;
    if (strcmp(host, own_host) != 0)
        return PLATFORM_ELSEWHERE;
    if (strcmp(boot, own_boot) != 0 || start != own_start || has_ended(*pid))
        return PLATFORM_GONE;
    return kill((pid_t)*pid, 0) == 0 || errno == EPERM ? PLATFORM_ALIVE : PLATFORM_GONE;
}

long platform_presence_children(long pid, platform_child *list, size_t most)
{
    const long ticks = sysconf(_SC_CLK_TCK), page = sysconf(_SC_PAGESIZE);
    long count = 0;
    DIR *folder = opendir("/proc");
    if (!folder)
        return -1;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char line[1024], *end;
        long child = strtol(entry->d_name, &end, 10);
        if (child <= 0 || *end)
            continue;
        read_stat(child, line, sizeof line);
        if (is_ended(line) || field_of(line, 4) != (uint64_t)pid)
            continue;
        if ((size_t)count < most)
            list[count] = (platform_child){ child, field_of(line, 24) * (uint64_t)page,
                                            (double)(field_of(line, 14) + field_of(line, 15)) / (double)ticks };
        ++count;
    }
    closedir(folder);
    return count;
}
