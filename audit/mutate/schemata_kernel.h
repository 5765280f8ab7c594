/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For generated copies of kernels, which compute addresses at will. The compiler puts a call before each access of
 * memory (-fsanitize=kernel-address; memory.c has the functions), and the functions of the C library that kernels use
 * on memory are replaced here. A call that accesses anything but its tensors, its own stack, the variables of the
 * kernels and their allocated memory is left at once.
 */
#ifndef TOUCHSTONE_SCHEMATA_KERNEL_H
#define TOUCHSTONE_SCHEMATA_KERNEL_H

#include <stdlib.h>
#include <string.h>

#ifndef SCHEMATA_FIXED

#define SCHEMATA_UNCHECKED __attribute__((noinline, no_sanitize_address))

/* Accesses through a pointer may have any index: the compiler's calls check them. */
#define SCHEMATA_BOUND(j, limit)                                                                                       \
    do {                                                                                                               \
        if ((limit) && (j) >= (uint64_t)(limit))                                                                       \
            schemata_leave(SCHEMATA_OUTSIDE);                                                                          \
    } while (0)

/* Variables that keep their values from call to call. Selecting a mutant gives them their first values again. */
#define SCHEMATA_STATE __attribute__((section("kernel_state")))

#include "audit/mutate/memory.h"
#include "audit/mutate/schemata.h"

#undef memcpy
#undef memmove
#undef memset
#undef memcmp
#define memcpy(to, from, n)  memory_copy(to, from, n)
#define memmove(to, from, n) memory_copy(to, from, n)
#define memset(to, value, n) memory_set(to, value, n)
#define memcmp(a, b, n)      memory_compare(a, b, n)
#define malloc(n)            memory_allocate(n)
#define calloc(count, n)     memory_allocate_zero(count, n)
#define free(p)              memory_free(p)

#else

#define SCHEMATA_STATE
#include "audit/mutate/schemata.h"

#endif
#endif
