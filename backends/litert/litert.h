/* SPDX-License-Identifier: Apache-2.0 */
/* The instance, and its models. */
#ifndef TOUCHSTONE_LITERT_H
#define TOUCHSTONE_LITERT_H

#include "backends/backend.h"
#include "backends/litert/litert_api.h"

/* Which kernels execute a node. */
typedef enum litert_kernels {
    KERNELS_DELEGATE, /* XNNPACK's where it takes the node, which is LiteRT's default; otherwise the built-in ones */
    KERNELS_BUILTIN,
    KERNELS_REFERENCE,
    KERNELS_COUNT
} litert_kernels;

struct run_cache;

typedef struct litert {
    const ts_host *host;
    void *library;
    lrt_api api;
    litert_kernels kernels;
    lrt_environment *environment;
    lrt_options *options;
    char version[64];
    struct run_cache *cache;
} litert;

void litert_note(const litert *self, const char *text);

/* ---- run.c ---- */

/* NULL: out of memory. */
struct run_cache *run_open(void);
void run_close(litert *self);
/* Make an interpreter, of a copy of one element. */
void run_first(litert *self);
ts_status run_call(litert *self, const ts_call *call);

#endif
