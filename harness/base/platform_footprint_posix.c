/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/platform.h"

#include <dirent.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

/* The entries of a folder, or -1. */
static long entries_of(const char *path)
{
    long count = 0;
    DIR *d = opendir(path);
    if (!d)
        return -1;
    for (const struct dirent *entry; (entry = readdir(d)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(d);
    return count;
}

static uint64_t heap_in_use(void)
{
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    const struct mallinfo2 all = mallinfo2();
    return (uint64_t)all.uordblks + all.hblkhd;
#else
    return 0;
#endif
}

bool platform_footprint_self(platform_footprint *now)
{
    now->heap = heap_in_use();
    now->files = entries_of("/proc/self/fd") - 1; /* without the folder itself */
    now->threads = entries_of("/proc/self/task");
    return now->files >= 0 && now->threads > 0;
}
