/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A backend in C: DML_OPERATOR_ELEMENT_WISE_IDENTITY of packed f32 tensors. Replace library_copy by calls of your
 * library. PREFIX/share/touchstone/docs/backends.md explains every part; `touchstone probe ./build/mine.so` says
 * whether the contract is kept.
 *
 * `touchstone run -b ./build/mine.so` fails no case before you change anything. It ends as incomplete (status 2),
 * because `run` below answers TS_UNSUPPORTED to tensors that are not packed; where your library knows strides, remove
 * that line.
 */
#include "backends/backend.h"

#include <stdio.h>
#include <string.h>

/* The library under test: one function on host pointers. */
static void library_copy(float *to, const float *from, size_t n)
{
    memcpy(to, from, n * sizeof *to);
}

typedef struct mine {
    const ts_host *host;
} mine;

static void note(const mine *self, const char *text)
{
    if (self->host && self->host->note)
        self->host->note(self->host->context, text);
}

static ts_status mine_open(const ts_host *host, const ts_option *options, size_t count, void **out)
{
    static mine self; /* one instance is enough for a library without state; others allocate here */
    self.host = host;
    (void)options;
    if (count > 0) {
        note(&self, "this backend takes no options");
        return TS_REJECTED;
    }
    *out = &self;
    return TS_OK;
}

static void mine_close(void *self)
{
    (void)self;
}

static ts_status mine_info(void *self, ts_info *info)
{
    (void)self;
    info->highest_level = TS_LEVEL_6_4;
    info->preferred_batch = 1;
    snprintf(info->name, sizeof info->name, "mine");
    snprintf(info->vendor, sizeof info->vendor, "me");
    snprintf(info->version, sizeof info->version, "1");
    return TS_OK;
}

/* The suite plans no case of a class for which this returns TS_UNSUPPORTED. */
static ts_status mine_query(void *self, const ts_call *shape, void **token)
{
    (void)self;
    if (strcmp(shape->op, "dml.element_wise_identity") != 0 || shape->tensor_count != 2)
        return TS_UNSUPPORTED;
    for (uint32_t i = 0; i < shape->tensor_count; ++i)
        if (ts_call_tensor(shape, i)->dtype != TS_FLOAT32)
            return TS_UNSUPPORTED;
    *token = NULL; /* there is only one function */
    return TS_OK;
}

/* What library_copy has no place for: it takes no flags, no owner and no alignment, so it cannot refuse wrong ones, and
   the suite plans no case that breaks these rules. */
static ts_status mine_query_clause(void *self, const char *op, const char *clause)
{
    static const char *const unshown[] = { "BUF-03", "BUF-04", "BUF-14" }; /* `touchstone ledger OPERATOR` has them */
    (void)self;
    (void)op;
    for (size_t i = 0; i < sizeof unshown / sizeof unshown[0]; ++i)
        if (strcmp(clause, unshown[i]) == 0)
            return TS_UNSUPPORTED;
    return TS_OK;
}

/* Is this a legal f32 tensor, as far as the library would check it? Stores the number of its elements. */
static int legal(const ts_tensor *t, uint64_t *elements)
{
    if ((t->given & TS_GIVEN_ALL) != TS_GIVEN_ALL || t->dtype != TS_FLOAT32 || t->rank < 1 || t->rank > 8)
        return 0;
    *elements = 1;
    for (uint32_t i = 0; i < t->rank; ++i) {
        if (t->sizes[i] == 0 || t->sizes[i] > UINT32_MAX)
            return 0;
        *elements *= t->sizes[i];
        if (*elements > UINT32_MAX)
            return 0;
    }
    return 1;
}

static int packed(const ts_tensor *t)
{
    uint64_t stride = 1;
    for (uint32_t i = t->rank; i-- > 0; stride *= t->sizes[i])
        if (t->sizes[i] > 1 && t->strides[i] != stride)
            return 0;
    return 1;
}

static ts_status run(const ts_call *call)
{
    const ts_tensor *in = ts_call_tensor(call, 0);
    const ts_tensor *out = ts_call_tensor(call, 1);
    uint64_t elements, written;
    if (!legal(in, &elements) || !legal(out, &written) || in->rank != out->rank ||
        memcmp(in->sizes, out->sizes, in->rank * sizeof *in->sizes) != 0)
        return TS_REJECTED;
    if (!packed(in) || !packed(out))
        return TS_UNSUPPORTED; /* `query` does not know strides, so this is the first chance to say it */
    if (in->total_bytes / sizeof(float) < elements || out->total_bytes / sizeof(float) < elements)
        return TS_REJECTED;
    if (!(call->flags & TS_CALL_DESCRIPTOR_ONLY))
        library_copy(out->data, in->data, (size_t)elements);
    return TS_OK;
}

static ts_status mine_submit(void *self, const ts_call *call, size_t n, ts_status *status)
{
    (void)self;
    for (size_t i = 0; i < n; ++i, call = ts_call_next(call))
        status[i] = run(call);
    return TS_OK;
}

static const ts_backend backend = {
    .struct_size = sizeof(ts_backend),
    .abi = TS_BACKEND_ABI,
    .open = mine_open,
    .close = mine_close,
    .info = mine_info,
    .query = mine_query,
    .submit = mine_submit,
    .query_clause = mine_query_clause,
    .summary = "one line for 'touchstone backends': what this is, and for whom",
};

const ts_backend *touchstone_backend(uint32_t abi)
{
    return abi == TS_BACKEND_ABI ? &backend : NULL;
}
