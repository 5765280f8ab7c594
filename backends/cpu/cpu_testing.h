/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the cpu backend share: the backend opened as a shared library, and one call of it. */
#ifndef TOUCHSTONE_CPU_TESTING_H
#define TOUCHSTONE_CPU_TESTING_H

#include "backends/backend_testing.h"
#include "harness/model/operator.h"
#include "reference/operators.h"

#ifndef CPU_LIBRARY
#define CPU_LIBRARY TOUCHSTONE_BINARY_DIR "/backends/cpu" TOUCHSTONE_LIBRARY_SUFFIX
#endif

static const ts_backend *backend;
static void *instance;

static inline int open_backend(void **state)
{
    (void)state;
    backend = testing_backend(CPU_LIBRARY);
    return backend && backend->open(NULL, NULL, 0, &instance) == TS_OK ? 0 : -1;
}

/* Call the backend once. TS_UNSUPPORTED if `query` refuses the descriptor's class. */
static inline ts_status submit(const ts_descriptor *d, uint32_t flags)
{
    ts_call call = operator_call(d);
    call.flags = flags;
    ts_status status = TS_ERROR;
    if (backend->query(instance, &call, &call.token) != TS_OK)
        return TS_UNSUPPORTED;
    backend->submit(instance, &call, 1, &status);
    return status;
}

#endif
