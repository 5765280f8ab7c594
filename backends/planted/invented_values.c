/* SPDX-License-Identifier: Apache-2.0 */
/* Paths that change the bits of elements. */
#include "backends/planted/invented.h"

static bool scattered(const ts_tensor *t)
{
    return t->rank > 0 && t->sizes[t->rank - 1] > 1 && t->strides[t->rank - 1] != 1;
}

static void extend(void *context, uint64_t number, unsigned char *element, size_t bytes)
{
    int64_t value = 0;
    (void)context;
    (void)number;
    memcpy(&value, element, bytes);
    if ((value >> 32) == 0 || (value >> 32) == -1)
        value = (int32_t)(uint32_t)(uint64_t)value;
    memcpy(element, &value, bytes);
}

/* Elements that are not next to each other are gathered as int32 if their upper halves say that they fit. */
static void int64_gathered(const fault_call *call)
{
    fault_run_right(call);
    if (call->in->dtype == TS_INT64 && scattered(call->in))
        fault_each(call->out, extend, NULL);
}

static void quiet_half(void *context, uint64_t number, unsigned char *element, size_t bytes)
{
    uint16_t value = 0;
    (void)context;
    (void)number;
    memcpy(&value, element, bytes);
    if ((value & 0x7C00) == 0x7C00 && (value & 0x3FF) != 0)
        value |= 0x200;
    memcpy(element, &value, bytes);
}

/* Is the last dimension of the input not its innermost? */
static bool transposed(const ts_tensor *t)
{
    for (uint32_t i = 0; i + 1 < t->rank; ++i)
        if (t->sizes[i] > 1 && t->strides[i] == 1 && scattered(t))
            return true;
    return false;
}

/* Tiles of halves are transposed as floats. */
static void halves_as_floats(const fault_call *call)
{
    fault_run_right(call);
    if (call->in->dtype == TS_FLOAT16 && transposed(call->in) && fault_count(call->out) >= 64)
        fault_each(call->out, quiet_half, NULL);
}

static void spread(void *context, uint64_t number, unsigned char *element, size_t bytes)
{
    const uint64_t row = *(const uint64_t *)context;
    (void)bytes;
    if (*element >= 0x80 && number % row < fault_floor(row, 4) && number % row % 4 != 0)
        *element = 0xFF;
}

/* A byte is repeated in a word by shifting and or-ing the int that it is promoted to. */
static void bytes_spread(const fault_call *call)
{
    const ts_tensor *in = call->in, *out = call->out;
    uint64_t row = out->rank ? out->sizes[out->rank - 1] : 1;
    fault_run_right(call);
    if (in->dtype == TS_INT8 && in->rank && in->sizes[in->rank - 1] > 1 && in->strides[in->rank - 1] == 0 && row >= 4)
        fault_each(out, spread, &row);
}

static const fault rows[] = {
    { "value-int64-narrow", ON_COPIES, VALUES,
      "int64 elements that are not next to each other are copied as int32 if their upper halves are all 0 or all 1",
      .execute = int64_gathered },
    { "value-half-transposed", ON_COPIES, VALUES,
      "float16 tiles are transposed as float32: signalling NaNs are quieted", .execute = halves_as_floats },
    { "value-byte-spread", ON_COPIES, VALUES, "a negative byte that is repeated in a word has its sign in the others",
      .execute = bytes_spread },
};

const fault_table planted_values = { rows, sizeof rows / sizeof *rows };
