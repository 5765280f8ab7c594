/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/execute/finding_place.h"

#include "harness/execute/finding_source.h"
#include "harness/model/locate.h"
#include "harness/model/value.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MOST_SEARCHED (UINT64_C(1) << 22) /* places of the input that are compared */

/* Which place of the inputs holds these bits? Writes ", the bits of ...", or nothing where it cannot be said. */
static void name_origin(const execute_item *item, uint32_t dtype, uint64_t bits, char *buf, size_t size)
{
    const ts_descriptor *d = &item->instance->descriptor;
    const size_t element = tensor_element_bytes(dtype);
    uint64_t found = 0, searched = 0;
    unsigned inputs = 0;
    const char *input = "";
    char name[300] = "";
    buf[0] = '\0';
    for (unsigned t = 0; t < d->op->tensor_count; ++t) {
        const ts_tensor *in = &d->tensors[t];
        const uint64_t places = in->total_bytes / element;
        if (!(operator_copied(d->op) >> t & 1) || !(in->given & TS_GIVEN_TENSOR) || in->dtype != dtype)
            continue;
        if (item->places[t].sparse || (searched += places) > MOST_SEARCHED || bits == 0)
            return;
        for (uint64_t i = 0; i < places; ++i)
            if (value_bits(dtype, item->places[t].golden + i * element) == bits && found++ == 0)
                source_name(d->op->tensors[t].name, in, i, name, sizeof name);
        input = d->op->tensors[t].name;
        ++inputs;
    }
    if (found == 1)
        snprintf(buf, size, ", the bits of %s", name);
    else if (found > 1)
        snprintf(buf, size, ", bits that %s and other places hold", name);
    else if (inputs == 1)
        snprintf(buf, size, ", which %s does not hold", input);
    else if (inputs > 1)
        snprintf(buf, size, ", which no input holds");
}

/* Where is the byte, by the nearest element? */
static void name_place(const ts_tensor *t, const char *tensor, int64_t at, char *buf, size_t size)
{
    const uint64_t element = tensor_element_bytes(t->dtype);
    uint64_t coord[TS_MAX_DIMS] = { 0 };
    char place[200];
    if (at < 0) {
        value_format_list(coord, t->rank, place, sizeof place);
        snprintf(buf, size, "%" PRId64 " byte%s before %s%s", -at, at == -1 ? "" : "s", tensor, place);
        return;
    }
    const uint64_t end = (locate_before(t, (uint64_t)at / element, coord) + 1) * element;
    value_format_list(coord, t->rank, place, sizeof place);
    if ((uint64_t)at <= end)
        snprintf(buf, size, "directly behind %s%s", tensor, place);
    else
        snprintf(buf, size, "%" PRIu64 " byte%s behind the end of %s%s", (uint64_t)at - end,
                 (uint64_t)at - end == 1 ? "" : "s", tensor, place);
}

void place_describe(const execute_item *item, unsigned t, int64_t at, char *buf, size_t size)
{
    const ts_descriptor *d = &item->instance->descriptor;
    const ts_tensor result = item_tensor(item, t), *tensor = &result;
    const arena_place *p = &item->places[t];
    const int64_t element = (int64_t)tensor_element_bytes(tensor->dtype),
                  first = at - ((at % element) + element) % element;
    char place[300], origin[400] = "", value[96];
    /* A whole element, if each of its bytes was written. */
    bool whole = first >= -(int64_t)p->before && first + element <= (int64_t)(p->bytes + p->after);
    for (int64_t i = first; whole && i < first + element; ++i)
        whole = p->subject[i] != p->golden[i];
    name_place(tensor, d->op->tensors[t].name, at, place, sizeof place);
    if (whole) {
        const uint64_t bits = value_bits(tensor->dtype, p->subject + first);
        value_format_bits(tensor->dtype, bits, value, sizeof value);
        name_origin(item, tensor->dtype, bits, origin, sizeof origin);
    } else {
        snprintf(value, sizeof value, "0x%02x", p->subject[at]);
    }
    snprintf(buf, size, "It is %s and holds %s%s.", place, value, origin);
}

void place_describe_gap_write(const execute_item *item, char *buf, size_t size)
{
    const ts_descriptor *d = &item->instance->descriptor;
    buf[0] = '\0';
    for (unsigned t = 0; t < d->op->tensor_count; ++t) {
        const arena_place *p = &item->places[t];
        uint64_t bytes = 0, first = 0;
        if (d->op->tensors[t].role != TS_OUTPUT || !(d->tensors[t].given & TS_GIVEN_TENSOR) || p->sparse)
            continue;
        for (uint64_t i = 0; i < p->bytes; ++i)
            if (p->golden[i] != p->subject[i] && bytes++ == 0)
                first = i;
        if (bytes == 0)
            continue;
        const int used =
            snprintf(buf, size, "%" PRIu64 " byte%s in gaps of %s changed, the first at byte %" PRIu64 ". ", bytes,
                     bytes == 1 ? "" : "s", d->op->tensors[t].name, first);
        if (used > 0 && (size_t)used < size)
            place_describe(item, t, (int64_t)first, buf + used, size - (size_t)used);
        return;
    }
}
