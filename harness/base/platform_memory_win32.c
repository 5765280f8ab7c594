/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory with guard pages, on Windows. Committed memory counts against the machine's whether or not it is touched, so
 * that of large tensors, which are sparse, is only reserved, and committed block by block where somebody touches it.
 */
#include "harness/base/platform.h"
#include "harness/base/platform_win32.h"

#define SPARSE_BYTES ((size_t)16 << 20) /* mappings up to this size are committed at once */
#define BLOCK_BYTES  ((size_t)64 << 10)
#define MOST_LAZY    64

static struct {
    HANDLE handler;
    struct {
        unsigned char *volatile p; /* NULL: free */
        size_t capacity;
    } maps[MOST_LAZY];
} lazy;

size_t platform_page_size(void)
{
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwPageSize;
}

void *platform_map_twice(size_t size, ptrdiff_t *distance)
{
    HANDLE memory = CreateFileMappingA(INVALID_HANDLE_VALUE, NULL, PAGE_READWRITE, (DWORD)((uint64_t)size >> 32),
                                       (DWORD)size, NULL);
    char *p = memory ? MapViewOfFile(memory, FILE_MAP_WRITE, 0, 0, size) : NULL;
    char *second = p ? MapViewOfFile(memory, FILE_MAP_READ, 0, 0, size) : NULL;
    *distance = second ? second - p : 0;
    if (memory)
        CloseHandle(memory); /* the views keep it */
    return p;
}

void platform_unmap_twice(void *p, size_t size, ptrdiff_t distance)
{
    (void)size;
    if (!p)
        return;
    if (distance)
        UnmapViewOfFile((char *)p + distance);
    UnmapViewOfFile(p);
}

bool platform_win32_commit(const EXCEPTION_RECORD *record)
{
    if (record->ExceptionCode != EXCEPTION_ACCESS_VIOLATION || record->NumberParameters < 2 ||
        record->ExceptionInformation[0] > 1) /* an attempt to execute the memory is a fault */
        return false;
    const uintptr_t at = record->ExceptionInformation[1];
    for (size_t i = 0; i < MOST_LAZY; ++i) {
        unsigned char *p = lazy.maps[i].p;
        if (!p || at < (uintptr_t)p || at - (uintptr_t)p >= lazy.maps[i].capacity)
            continue;
        const size_t offset = (at - (uintptr_t)p) / BLOCK_BYTES * BLOCK_BYTES, left = lazy.maps[i].capacity - offset;
        return VirtualAlloc(p + offset, left < BLOCK_BYTES ? left : BLOCK_BYTES, MEM_COMMIT, PAGE_READWRITE) != NULL;
    }
    return false;
}

static LONG CALLBACK on_touch(EXCEPTION_POINTERS *what)
{
    return platform_win32_commit(what->ExceptionRecord) ? EXCEPTION_CONTINUE_EXECUTION : EXCEPTION_CONTINUE_SEARCH;
}

/* Record a mapping that is committed later; false if the table is full. */
static bool note(unsigned char *p, size_t capacity)
{
    if (!lazy.handler && !(lazy.handler = AddVectoredExceptionHandler(1, on_touch)))
        return false;
    for (size_t i = 0; i < MOST_LAZY; ++i)
        if (!lazy.maps[i].p) {
            lazy.maps[i].capacity = capacity;
            lazy.maps[i].p = p;
            return true;
        }
    return false;
}

unsigned char *platform_map_guarded(size_t capacity)
{
    size_t page = platform_page_size();
    unsigned char *p = VirtualAlloc(NULL, capacity + 2 * page, MEM_RESERVE, PAGE_NOACCESS);
    if (!p)
        return NULL;
    if ((capacity > SPARSE_BYTES && note(p + page, capacity)) ||
        VirtualAlloc(p + page, capacity, MEM_COMMIT, PAGE_READWRITE))
        return p + page;
    VirtualFree(p, 0, MEM_RELEASE);
    return NULL;
}

void platform_unmap_guarded(unsigned char *p, size_t capacity)
{
    (void)capacity;
    if (!p)
        return;
    for (size_t i = 0; i < MOST_LAZY; ++i)
        if (lazy.maps[i].p == p)
            lazy.maps[i].p = NULL;
    VirtualFree(p - platform_page_size(), 0, MEM_RELEASE);
}
