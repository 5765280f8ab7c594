/* SPDX-License-Identifier: Apache-2.0 */
/* How the outputs of NonZero-3 come about, and the mistakes that implementations make. */
#include "harness/model/derive.h"
#include "reference/openvino/non_zero_shared.h"

#include <inttypes.h>
#include <stdio.h>

enum { DATA, OUT };

/* The number of elements that are not zero. */
static uint64_t count_all(const ts_tensor *data)
{
    uint64_t at[TS_MAX_DIMS] = { 0 }, elements, count = 0;
    if (!tensor_element_count(data, &elements) || elements == 0)
        return 0;
    do
        count += !openvino_is_zero(data, at);
    while (tensor_next(data, at));
    return count;
}

/* The coordinate that follows in column-major order: the first dimension changes fastest. */
static bool next_column_major(const ts_tensor *t, uint64_t *at)
{
    for (uint32_t i = 0; i < t->rank; ++i) {
        if (++at[i] < t->sizes[i])
            return true;
        at[i] = 0;
    }
    return false;
}

typedef struct order {
    bool column_major, tuples, reversed, backwards, numbers, from_one;
    bool largest; /* the rows lie as far apart as in the largest shape */
} order;

/* Write the indices in another order, or other ones. */
static void list(const ts_descriptor *d, const order *o)
{
    const ts_tensor *data = &d->tensors[DATA], *out = &d->tensors[OUT];
    const uint64_t count = count_all(data), row = o->largest ? out->sizes[1] : count;
    uint64_t at[TS_MAX_DIMS] = { 0 }, n = 0;
    ts_tensor flat = *out; /* its elements as they lie in memory */
    flat.rank = 1;
    flat.strides[0] = 1;
    if (count == 0)
        return;
    do {
        if (openvino_is_zero(data, at))
            continue;
        const uint64_t j = o->backwards ? count - 1 - n : n;
        for (uint32_t k = 0; k < data->rank; ++k) {
            const uint64_t index = (o->numbers    ? tensor_number(data, at)
                                    : o->reversed ? at[data->rank - 1 - k]
                                                  : at[k]) +
                                   o->from_one;
            const uint64_t place[TS_MAX_DIMS] = { o->tuples ? j * data->rank + k : k * row + j };
            openvino_store_index(&flat, place, index);
        }
        ++n;
    } while (o->column_major ? next_column_major(data, at) : tensor_next(data, at));
}

#define MISTAKE(name, member)                                                                                          \
    static void name(const ts_descriptor *d)                                                                           \
    {                                                                                                                  \
        list(d, &(order){ .member = true });                                                                           \
    }
MISTAKE(column_major, column_major)
MISTAKE(tuples, tuples)
MISTAKE(reversed, reversed)
MISTAKE(backwards, backwards)
MISTAKE(numbers, numbers)
MISTAKE(from_one, from_one)
MISTAKE(largest, largest)

static const ts_mistake mistakes[] = {
    { "the elements were taken in column-major order", column_major },
    { "the indices of each element were together", tuples },
    { "the dimensions were in reverse order", reversed },
    { "the last element came first", backwards },
    { "each index were the number of the element in row-major order", numbers },
    { "indices began at 1", from_one },
    { "the rows lay as far apart as those of the largest shape", largest },
};

static void describe(const ts_descriptor *expected, const ts_descriptor *actual, unsigned tensor, const uint64_t *coord,
                     char *buf, size_t size)
{
    const ts_tensor *data = &expected->tensors[DATA];
    uint64_t at[TS_MAX_DIMS] = { 0 }, n = 0;
    size_t used;
    (void)actual;
    (void)tensor;
    do
        if (!openvino_is_zero(data, at) && n++ == coord[1])
            break;
    while (tensor_next(data, at));
    used = (size_t)snprintf(
        buf, size, "It is the index in dimension %" PRIu64 " of element number %" PRIu64 " that is not zero, data[",
        coord[0], coord[1]);
    for (uint32_t k = 0; k < data->rank && used < size; ++k)
        used += (size_t)snprintf(buf + used, size - used, "%s%" PRIu64, k ? "," : "", at[k]);
    if (used < size)
        snprintf(buf + used, size - used, "]");
}

const ts_derivation derivation_openvino_non_zero_3 = {
    .describe = describe,
    .mistake_count = sizeof mistakes / sizeof *mistakes,
    .mistakes = mistakes,
};
