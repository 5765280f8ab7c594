/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that is a backend: DML_OPERATOR_SLICE1 and DML_OPERATOR_ELEMENT_WISE_IDENTITY of any strides, by one loop.
 *
 *     cc -std=c11 -O2 -D_GNU_SOURCE -I PREFIX/include/touchstone -o worker worker.c
 *     touchstone run -b exec:./worker
 */
#include "backends/exec/touchstone_exec.h"
#include "reference/dml/slice1.h"

#define MAX_RANK 8

/* Bytes of an element; 0 for types that this program does not have. */
static size_t element_bytes(uint32_t dtype)
{
    static const unsigned char bytes[TS_DTYPE_COUNT] = { 0, 4, 2, 4, 2, 1, 4, 2, 1, 8, 8, 8, 0, 0, 0, 0 };
    return dtype < TS_DTYPE_COUNT ? bytes[dtype] : 0;
}

/* A legal tensor whose elements are within its bytes. */
static int is_legal(const ts_tensor *t, uint32_t most_flags)
{
    uint64_t elements = 1, last = 0;
    const size_t bytes = element_bytes(t->dtype);
    if ((t->given & TS_GIVEN_ALL) != TS_GIVEN_ALL || !bytes || t->flags > most_flags || t->rank < 1 ||
        t->rank > MAX_RANK)
        return 0;
    if (t->alignment != 0 && (t->alignment < bytes || (t->alignment & (t->alignment - 1)) != 0))
        return 0;
    for (uint32_t i = 0; i < t->rank; ++i) {
        if (t->sizes[i] < 1 || t->sizes[i] > UINT32_MAX || t->strides[i] > UINT32_MAX)
            return 0;
        elements *= t->sizes[i];
        last += (t->sizes[i] - 1) * t->strides[i];
        if (elements > UINT32_MAX || last >= UINT32_MAX)
            return 0;
    }
    return t->total_bytes >= ((last + 1) * bytes + 3) / 4 * 4;
}

/* Is there a difference of two coordinates, in dimensions d and on (in order of falling strides), that moves an address
   by -sum? `moved`: they already differ. */
static int meets(const ts_tensor *t, const uint32_t *order, uint32_t d, int64_t sum, int moved)
{
    int64_t reach = 0; /* what the dimensions behind d can add at most */
    if (d == t->rank)
        return moved && sum == 0;
    for (uint32_t i = d + 1; i < t->rank; ++i)
        reach += (int64_t)((t->sizes[order[i]] - 1) * t->strides[order[i]]);
    const int64_t stride = (int64_t)t->strides[order[d]], last = (int64_t)t->sizes[order[d]] - 1;
    if (stride == 0)
        return moved ? sum == 0 : last > 0 || meets(t, order, d + 1, sum, moved);
    int64_t low = (-reach - sum) / stride, high = (reach - sum) / stride;
    low = low < -last ? -last : low;
    high = high > last ? last : high;
    for (int64_t i = moved || low > 0 ? low : 0; i <= high; ++i) /* the first difference may as well be positive */
        if (meets(t, order, d + 1, sum + i * stride, moved || i != 0))
            return 1;
    return 0;
}

/* May the strides of an output be these? No two elements may have one address. */
static int is_writable(const ts_tensor *t)
{
    uint32_t order[MAX_RANK];
    for (uint32_t i = 0; i < t->rank; ++i) {
        uint32_t at = i;
        for (; at > 0 && t->strides[order[at - 1]] < t->strides[i]; --at)
            order[at] = order[at - 1];
        order[at] = i;
    }
    return !meets(t, order, 0, 0, 0);
}

/* Copy the elements of a box: the output's strides count elements, the input's may be negative. */
static void copy_box(const ts_tensor *out, const ts_tensor *in, const int64_t *strides, int64_t first)
{
    const size_t bytes = element_bytes(out->dtype);
    uint64_t at[MAX_RANK] = { 0 };
    int64_t from = first;
    uint64_t to = 0;
    for (;;) {
        memcpy((char *)out->data + to * bytes, (const char *)in->data + (size_t)from * bytes, bytes);
        uint32_t d = out->rank;
        while (d-- > 0) {
            from += strides[d];
            to += out->strides[d];
            if (++at[d] < out->sizes[d])
                break;
            from -= strides[d] * (int64_t)out->sizes[d];
            to -= out->strides[d] * out->sizes[d];
            at[d] = 0;
        }
        if (d == UINT32_MAX)
            return;
    }
}

static ts_status slice1(const ts_call *call)
{
    const ts_tensor *in = ts_call_tensor(call, 0), *out = ts_call_tensor(call, 1);
    const ts_dml_slice1 *a = (const ts_dml_slice1 *)call->attrs;
    int64_t strides[MAX_RANK], first = 0;
    const uint32_t arrays = TS_SLICE1_GIVEN_INPUT_WINDOW_OFFSETS | TS_SLICE1_GIVEN_INPUT_WINDOW_SIZES |
                            TS_SLICE1_GIVEN_INPUT_WINDOW_STRIDES;
    if ((call->attrs_given & arrays) != arrays || a->DimensionCount != in->rank)
        return TS_REJECTED;
    for (uint32_t i = 0; i < in->rank; ++i) {
        const int64_t step = a->InputWindowStrides[i];
        const uint64_t offset = a->InputWindowOffsets[i], size = a->InputWindowSizes[i];
        const uint64_t pace = (uint64_t)(step < 0 ? -step : step);
        if (step == 0 || size < 1 || offset + size > in->sizes[i] || (out->sizes[i] - 1) * pace > size - 1)
            return TS_REJECTED;
        strides[i] = out->sizes[i] > 1 ? step * (int64_t)in->strides[i] : 0;
        first += (int64_t)((step < 0 ? offset + size - 1 : offset) * in->strides[i]);
    }
    if (!(call->flags & TS_CALL_DESCRIPTOR_ONLY))
        copy_box(out, in, strides, first);
    return TS_OK;
}

static ts_status identity(const ts_call *call)
{
    const ts_tensor *in = ts_call_tensor(call, 0), *out = ts_call_tensor(call, 1);
    int64_t strides[MAX_RANK];
    for (uint32_t i = 0; i < in->rank; ++i) {
        if (out->sizes[i] != in->sizes[i])
            return TS_REJECTED;
        strides[i] = (int64_t)in->strides[i];
    }
    if (!(call->flags & TS_CALL_DESCRIPTOR_ONLY))
        copy_box(out, in, strides, 0);
    return TS_OK;
}

static ts_status worker_open(const ts_host *host, const ts_option *options, size_t count, void **self)
{
    static int one;
    (void)options;
    *self = &one; /* it has no state */
    if (count == 0)
        return TS_OK;
    host->note(host->context, "the example has no options");
    return TS_REJECTED;
}

static void worker_close(void *self)
{
    (void)self;
}

static ts_status worker_info(void *self, ts_info *info)
{
    (void)self;
    info->highest_level = TS_LEVEL_6_4;
    info->preferred_batch = 256;
    snprintf(info->name, sizeof info->name, "exec example");
    snprintf(info->vendor, sizeof info->vendor, "Touchstone");
    snprintf(info->version, sizeof info->version, "1");
    return TS_OK;
}

/* The token of a class is the operator's function. */
typedef struct kernel {
    const char *op;
    ts_status (*run)(const ts_call *call);
} kernel;

static const kernel kernels[] = { { "dml.slice1", slice1 }, { "dml.element_wise_identity", identity } };

static ts_status worker_query(void *self, const ts_call *shape, void **token)
{
    (void)self;
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; ++i)
        if (strcmp(shape->op, kernels[i].op) == 0 && shape->tensor_count == 2) {
            *token = (void *)(uintptr_t)&kernels[i];
            return TS_OK;
        }
    return TS_UNSUPPORTED;
}

static ts_status worker_submit(void *self, const ts_call *call, size_t n, ts_status *status)
{
    (void)self;
    for (size_t i = 0; i < n; ++i, call = ts_call_next(call)) {
        const ts_tensor *in = ts_call_tensor(call, 0), *out = ts_call_tensor(call, 1);
        const kernel *k = (const kernel *)call->token;
        if (!is_legal(in, 1) || !is_legal(out, 0) || !is_writable(out) || in->rank != out->rank ||
            in->dtype != out->dtype)
            status[i] = TS_REJECTED;
        else
            status[i] = k->run(call);
    }
    return TS_OK;
}

static const ts_backend backend = {
    .struct_size = sizeof(ts_backend),
    .abi = TS_BACKEND_ABI,
    .open = worker_open,
    .close = worker_close,
    .info = worker_info,
    .query = worker_query,
    .submit = worker_submit,
};

int main(void)
{
    return touchstone_exec(&backend);
}
