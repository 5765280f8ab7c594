/* SPDX-License-Identifier: Apache-2.0 */
/* For unit tests of backends: load a backend as a shared library, and make random numbers for descriptors. */
#ifndef TOUCHSTONE_BACKEND_TESTING_H
#define TOUCHSTONE_BACKEND_TESTING_H

#include "backends/backend.h"
#include "harness/base/platform.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Load a backend of this build. NULL, with a message, if there is none. The library stays loaded. */
static inline const ts_backend *testing_backend(const char *path)
{
    char message[300];
    void *library = platform_library_open(path, message, sizeof message);
    if (!library) {
        print_message("%s\n", message);
        return NULL;
    }
    touchstone_backend_function get =
        (touchstone_backend_function)platform_library_symbol(library, "touchstone_backend");
    assert_true(!get || !get(TS_BACKEND_ABI + 1));
    return get ? get(TS_BACKEND_ABI) : NULL;
}

#define TESTING_BACKEND(name) testing_backend(TOUCHSTONE_BINARY_DIR "/backends/" name TOUCHSTONE_LIBRARY_SUFFIX)

/* Return the next random number of a seed (SplitMix64): the same on every platform. */
static inline uint64_t testing_random(uint64_t *seed)
{
    uint64_t z = (*seed += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

#endif
