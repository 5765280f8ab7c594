/* SPDX-License-Identifier: Apache-2.0 */
/* What a process shares with those that it started: memory, and a pipe of what they print. */
#include "harness/base/platform_process_posix.h"

#include "harness/base/array.h"
#include "harness/base/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- memory that processes share ---- */

static struct {
    struct shared_memory {
        uintptr_t first;
        size_t size;
    } * list;
    size_t count, capacity;
} shared;

void *platform_shared_new(size_t size)
{
    if (!array_reserve(&shared.list, &shared.capacity, shared.count + 1, sizeof *shared.list))
        return NULL;
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    shared.list[shared.count++] = (struct shared_memory){ (uintptr_t)p, size };
    return p;
}

void platform_shared_free(void *p, size_t size)
{
    if (!p)
        return;
    for (size_t i = 0; i < shared.count; ++i)
        if (shared.list[i].first == (uintptr_t)p)
            shared.list[i] = shared.list[--shared.count];
    munmap(p, size);
}

/* May the new process write to this page? */
static bool is_writable(const platform_spawn_data *spawn, uintptr_t page)
{
    for (size_t i = 0; i < shared.count; ++i)
        for (size_t k = 0; k < spawn->writable; ++k)
            if ((uintptr_t)spawn->shared[k] == shared.list[i].first && page >= shared.list[i].first &&
                page - shared.list[i].first < shared.list[i].size)
                return true;
    return false;
}

/* Let this process only read the shared memory [first, end), but for what it may write. */
static void restrict_range(const platform_spawn_data *spawn, uintptr_t first, uintptr_t end)
{
    const size_t page = platform_page_size();
    for (uintptr_t at = first; at < end; at += page)
        if (!is_writable(spawn, at))
            mprotect((void *)at, page, PROT_READ);
}

void posix_restrict_shared(const platform_spawn_data *spawn)
{
    for (size_t i = 0; i < shared.count; ++i)
        restrict_range(spawn, shared.list[i].first, shared.list[i].first + shared.list[i].size);
#if defined(__linux__)
    char line[512], access[8]; /* memory of libraries as well, such as the index of SQLite's log */
    unsigned long long first, end;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps))
        if (sscanf(line, "%llx-%llx %7s", &first, &end, access) == 3 && access[1] == 'w' && access[3] == 's')
            restrict_range(spawn, (uintptr_t)first, (uintptr_t)end);
    if (maps)
        fclose(maps);
#endif
}

/* ---- what a process prints ---- */

#define PRINTED_BYTES (1 << 20) /* room that a pipe is asked to have */
#define FLOOD_BYTES   (1 << 16) /* from so many on, the pipe is read as soon as there is more */

bool platform_process_printed(const platform_printed *printed, uint64_t *bytes)
{
    for (int k = 0; k < 16; ++k) {
        int unread = 0;
        const uint64_t turn = atomic_load(&printed->turn), before = atomic_load(&printed->bytes);
        if (ioctl(STDERR_FILENO, FIONREAD, &unread) != 0 || unread < 0)
            return false;
        if (turn % 2 == 0 && atomic_load(&printed->turn) == turn) {
            *bytes = before + (uint64_t)unread;
            return true;
        }
    }
    return false;
}

bool posix_output_open(posix_output *o, const platform_spawn_data *spawn, int *write_end)
{
    int ends[2];
    o->fd = *write_end = -1;
    if (!spawn || !spawn->output.take)
        return true;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    o->to = spawn->output;
    o->fd = ends[0];
    *write_end = ends[1];
    fcntl(ends[0], F_SETFL, O_NONBLOCK); /* of this end only */
#if defined(F_SETPIPE_SZ)
    fcntl(ends[0], F_SETPIPE_SZ, PRINTED_BYTES);
#endif
    return true;
}

void posix_output_close(posix_output *o)
{
    if (o->fd >= 0)
        close(o->fd);
    o->fd = -1;
}

bool posix_output_is_awaited(const posix_output *o)
{
    return o->fd >= 0 && (o->last_read == 0 || o->last_read >= FLOOD_BYTES);
}

bool posix_output_floods(const posix_output *o)
{
    return o->last_read >= FLOOD_BYTES;
}

void posix_output_read(posix_output *o)
{
    static char bytes[1 << 16];
    platform_printed *printed = o->to.printed;
    o->last_read = 0;
    while (o->fd >= 0 && o->last_read < PRINTED_BYTES) {
        atomic_fetch_add(&printed->turn, 1);
        const ssize_t n = read(o->fd, bytes, sizeof bytes);
        atomic_fetch_add(&printed->bytes, n > 0 ? (uint64_t)n : 0);
        atomic_fetch_add(&printed->turn, 1);
        if (n <= 0 && !(n < 0 && (errno == EAGAIN || errno == EINTR))) /* nobody can print any more */
            posix_output_close(o);
        if (n <= 0)
            return;
        o->last_read += (size_t)n;
        o->to.take(o->to.context, bytes, (size_t)n);
    }
}
