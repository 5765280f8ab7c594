/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/mutate/memory.h"
#include "audit/mutate/schemata_state.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>

/* The linker defines these if a kernel has variables (SCHEMATA_STATE in schemata_kernel.h). */
extern unsigned char __start_kernel_state[] __attribute__((weak));
extern unsigned char __stop_kernel_state[] __attribute__((weak));

#define MOST_RANGES 64
#define MOST_BLOCKS 32
#define MOST_BYTES  (UINT64_C(1) << 28) /* that kernels have allocated together */
#define GRAIN       256                 /* bytes of variables that are given their first values together */
#define FRESH       0xB7                /* the contents of allocated memory */
#define HITS        256                 /* places in the code whose last range is remembered */

typedef struct range {
    uintptr_t begin, end;
    bool writable;
} range;

/* It is global because the functions that the compiler calls have no argument for it. */
static struct {
    range ranges[MOST_RANGES];
    unsigned library, count; /* the first ranges are of this library */
    uintptr_t frame;         /* of the stack: below this address */
    range hits[HITS];        /* by a hash of the access: the range that it was in last, not of stack and changes */
    range blocks[MOST_BLOCKS];
    unsigned block_count;
    uint64_t allocated;
    unsigned char *first; /* values of the kernels' variables */
    size_t bytes;         /* of them */
    bool *changed;        /* per grain */
    uint32_t *list;       /* changed grains */
    uint32_t listed;
} memory;

/* ---- what may be accessed ----------------------------------------------------------------------------------- */

static void add_range(const void *begin, size_t bytes, bool writable)
{
    if (begin && bytes && memory.count < MOST_RANGES)
        memory.ranges[memory.count++] = (range){ (uintptr_t)begin, (uintptr_t)begin + bytes, writable };
}

/* The ranges become others. */
static void forget_hits(void)
{
    memset(memory.hits, 0, sizeof memory.hits);
}

void memory_begin(const ts_call *call, uint32_t outputs)
{
    memory.count = memory.library;
    forget_hits();
    for (uint32_t t = 0; t < call->tensor_count; ++t) {
        const ts_tensor *tensor = ts_call_tensor(call, t);
        add_range(tensor->data, tensor->total_bytes, (outputs >> t & 1) != 0);
        if (outputs >> t & 1)
            add_range(tensor->reported, sizeof *tensor->reported, true);
    }
    add_range(call, call->struct_size, false);
    add_range(call->op, strlen(call->op) + 1, false);
    add_range(call->attrs, call->attrs_size, false);
    add_range(call->tensors, (size_t)call->tensor_count * call->tensor_size, false);
    add_range(&schemata, sizeof schemata, false);
    add_range(schemata.infected, schemata_all.count * sizeof *schemata.infected, false);
}

void memory_enter(const void *frame)
{
    memory.frame = (uintptr_t)frame;
}

static inline bool within(const range *r, uintptr_t at, size_t n)
{
    return at >= r->begin && at < r->end && n <= r->end - at;
}

static void note_change(uintptr_t at, size_t n)
{
    const size_t begin = at - (uintptr_t)__start_kernel_state;
    for (size_t grain = begin / GRAIN; grain <= (begin + n - 1) / GRAIN; ++grain)
        if (!memory.changed[grain]) {
            memory.changed[grain] = true;
            memory.list[memory.listed++] = (uint32_t)grain;
        }
}

/* Leave the call if it may not access these bytes; remember the range in *hit. */
static __attribute__((noinline)) void search(uintptr_t at, size_t n, bool write, range *hit)
{
    const range state = { (uintptr_t)__start_kernel_state, (uintptr_t)__stop_kernel_state, true };
    if (n == 0)
        return;
    if (within(&state, at, n)) {
        if (write)
            note_change(at, n); /* each time: *hit stays as it is */
        else
            *hit = (range){ state.begin, state.end, false }; /* writes do not hit it */
        return;
    }
    for (unsigned i = memory.count; i-- > 0;)
        if (within(&memory.ranges[i], at, n) && (!write || memory.ranges[i].writable)) {
            *hit = memory.ranges[i];
            return;
        }
    for (unsigned i = 0; i < memory.block_count; ++i)
        if (within(&memory.blocks[i], at, n)) {
            *hit = memory.blocks[i];
            return;
        }
    schemata_leave(SCHEMATA_OUTSIDE);
}

/* Leave the call if it may not access these bytes. A place in the code mostly accesses the range of its last access, so
   each remembers one; `site` is an address there. */
static inline __attribute__((always_inline)) void check(uintptr_t at, size_t n, bool write, const void *site)
{
    range *hit = &memory.hits[(((uintptr_t)site >> 1) ^ (uintptr_t)site >> 9 ^ write) % HITS];
    const range stack = { (uintptr_t)__builtin_frame_address(0), memory.frame, true };
    if (!(within(hit, at, n) && (hit->writable || !write)) && !within(&stack, at, n))
        search(at, n, write, hit);
}

/* The names that compilers call with -fsanitize=kernel-address. */
#define CHECKED(bytes)                                                                                                 \
    void __asan_load##bytes##_noabort(uintptr_t at);                                                                   \
    void __asan_store##bytes##_noabort(uintptr_t at);                                                                  \
    void __asan_load##bytes##_noabort(uintptr_t at)                                                                    \
    {                                                                                                                  \
        check(at, bytes, false, __builtin_return_address(0));                                                          \
    }                                                                                                                  \
    void __asan_store##bytes##_noabort(uintptr_t at)                                                                   \
    {                                                                                                                  \
        check(at, bytes, true, __builtin_return_address(0));                                                           \
    }
CHECKED(1)
CHECKED(2)
CHECKED(4)
CHECKED(8)
CHECKED(16)

void __asan_loadN_noabort(uintptr_t at, size_t n);
void __asan_storeN_noabort(uintptr_t at, size_t n);
void __asan_handle_no_return(void);

void __asan_loadN_noabort(uintptr_t at, size_t n)
{
    check(at, n, false, __builtin_return_address(0));
}

void __asan_storeN_noabort(uintptr_t at, size_t n)
{
    check(at, n, true, __builtin_return_address(0));
}

/* Before a function that does not return, such as schemata_leave(). */
void __asan_handle_no_return(void)
{
}

/* ---- instead of the C library ------------------------------------------------------------------------------- */

void *memory_copy(void *to, const void *from, size_t n)
{
    check((uintptr_t)from, n, false, __builtin_return_address(0));
    check((uintptr_t)to, n, true, __builtin_return_address(0));
    return n ? memmove(to, from, n) : to;
}

void *memory_set(void *to, int value, size_t n)
{
    check((uintptr_t)to, n, true, __builtin_return_address(0));
    return n ? memset(to, value, n) : to;
}

int memory_compare(const void *a, const void *b, size_t n)
{
    check((uintptr_t)a, n, false, __builtin_return_address(0));
    check((uintptr_t)b, n, false, __builtin_return_address(0));
    return n ? memcmp(a, b, n) : 0;
}

void *memory_allocate(size_t n)
{
    if (memory.block_count == MOST_BLOCKS || n > MOST_BYTES - memory.allocated)
        return NULL;
    unsigned char *p = malloc(n ? n : 1);
    if (!p)
        return NULL;
    memset(p, FRESH, n);
    memory.blocks[memory.block_count++] = (range){ (uintptr_t)p, (uintptr_t)p + n, true };
    memory.allocated += n;
    return p;
}

void *memory_allocate_zero(size_t count, size_t n)
{
    size_t bytes;
    void *p = __builtin_mul_overflow(count, n, &bytes) ? NULL : memory_allocate(bytes);
    return p ? memset(p, 0, bytes) : NULL;
}

void memory_free(void *p)
{
    unsigned i = 0;
    if (!p)
        return;
    while (i < memory.block_count && memory.blocks[i].begin != (uintptr_t)p)
        ++i;
    if (i == memory.block_count) /* it is not allocated, or not any more */
        schemata_leave(SCHEMATA_OUTSIDE);
    forget_hits();
    memory.allocated -= memory.blocks[i].end - memory.blocks[i].begin;
    memory.blocks[i] = memory.blocks[--memory.block_count];
    free(p);
}

/* ---- what is kept ------------------------------------------------------------------------------------------- */

/* Add the memory of this library, of which constants may be read. */
static int add_library(struct dl_phdr_info *info, size_t size, void *context)
{
    const uintptr_t own = (uintptr_t)&memory_open;
    bool mine = false;
    (void)size;
    (void)context;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        mine =
            mine || (info->dlpi_phdr[i].p_type == PT_LOAD && own >= begin && own < begin + info->dlpi_phdr[i].p_memsz);
    }
    for (int i = 0; mine && i < info->dlpi_phnum; ++i)
        if (info->dlpi_phdr[i].p_type == PT_LOAD)
            add_range((const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr), info->dlpi_phdr[i].p_memsz, false);
    return mine;
}

bool memory_open(void)
{
    if (memory.first)
        return true;
    memory.bytes = __start_kernel_state ? (size_t)(__stop_kernel_state - __start_kernel_state) : 0;
    memory.first = malloc(memory.bytes + 1);
    memory.changed = calloc(memory.bytes / GRAIN + 1, sizeof *memory.changed);
    memory.list = calloc(memory.bytes / GRAIN + 1, sizeof *memory.list);
    if (!memory.first || !memory.changed || !memory.list)
        return false;
    if (memory.bytes)
        memcpy(memory.first, __start_kernel_state, memory.bytes);
    dl_iterate_phdr(add_library, NULL);
    memory.library = memory.count;
    return true;
}

void memory_reset(bool all)
{
    if (all && memory.bytes)
        memcpy(__start_kernel_state, memory.first, memory.bytes);
    for (uint32_t i = 0; i < memory.listed; ++i) {
        const size_t at = (size_t)memory.list[i] * GRAIN, rest = memory.bytes - at;
        memcpy(__start_kernel_state + at, memory.first + at, rest < GRAIN ? rest : GRAIN);
        memory.changed[memory.list[i]] = false;
    }
    memory.listed = 0;
    forget_hits();
    while (memory.block_count > 0)
        free((void *)memory.blocks[--memory.block_count].begin);
    memory.allocated = 0;
}
