/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/execute/compare_buffers.h"

#include "harness/model/fill.h"
#include "harness/model/sparse.h"
#include "harness/model/value.h"

#include <string.h>

/* Is a tensor's region the same in both buffers? with: compare the canary bytes around it, too. A sparse tensor is
   always compared with them, since its pages are few. */
static bool same_region(const ts_tensor *t, const arena_place *p, bool with)
{
    size_t before = with ? p->before : 0, after = with ? p->after : 0;
    return p->sparse ? sparse_same(t, p)
                     : memcmp(p->golden - before, p->subject - before, before + p->bytes + after) == 0;
}

/* Is tensor t present, and not an input in whose memory the output is? */
static bool is_compared(const ts_operator *op, const ts_descriptor *d, const arena_place *places, unsigned t)
{
    return (d->tensors[t].given & TS_GIVEN_TENSOR) && !(places[t].in_place && op->tensors[t].role == TS_INPUT);
}

bool compare_buffers_equal(const ts_operator *op, const ts_descriptor *d, const arena_place *places)
{
    for (unsigned t = 0; t < op->tensor_count; ++t)
        if (is_compared(op, d, places, t) && !same_region(&d->tensors[t], &places[t], true))
            return false;
    return true;
}

/* Compare the canary bytes on either side. */
static void compare_outside(int t, const arena_place *p, judgement *j)
{
    for (int64_t at = -(int64_t)p->before; at < (int64_t)(p->bytes + p->after); ++at) {
        if (at == 0 && p->bytes)
            at = (int64_t)p->bytes;
        if (at >= (int64_t)(p->bytes + p->after) || p->golden[at] == p->subject[at])
            continue;
        if (j->outside_bytes++ == 0) {
            j->verdict = VERDICT_WROTE_OUTSIDE;
            j->tensor = t;
            j->outside = at;
        }
    }
}

static uint64_t bits_at(const ts_tensor *t, const unsigned char *base, uint64_t offset)
{
    return value_bits(t->dtype, base + offset * tensor_element_bytes(t->dtype));
}

/* A tensor with each of its elements in memory once: without its broadcast dimensions. *times: how often it has them.
 */
static ts_tensor without_broadcasts(const ts_tensor *t, uint64_t *times)
{
    ts_tensor once = *t;
    *times = 1;
    for (uint32_t i = 0; i < t->rank; ++i)
        if (t->strides[i] == 0 && t->sizes[i] > 1) {
            *times *= t->sizes[i];
            once.sizes[i] = 1;
        }
    return once;
}

/* Is a value that differs from the reference's right all the same? */
static bool is_allowed(const ts_descriptor *d, unsigned t, const uint64_t *coord, uint64_t bits)
{
    ts_answers answers = { .asked = bits };
    d->op->answers(d, t, coord, &answers);
    return answers.allowed;
}

/* Compare every addressed element of one tensor; of a sparse one, those that are checked. marks: NULL where each has
   one answer. */
static void compare_elements(const ts_descriptor *d, unsigned t, const arena_place *p, const ts_marks *marks,
                             verdict wrong, judgement *j)
{
    const ts_tensor *tensor = &d->tensors[t];
    uint64_t coord[TS_MAX_DIMS] = { 0 }, count, times;
    if (!tensor_element_count(tensor, &count) || count == 0)
        return;
    const ts_tensor once = without_broadcasts(tensor, &times);
    do {
        uint64_t offset = tensor_offset(&once, coord);
        uint64_t expected = bits_at(&once, p->golden, offset), actual = bits_at(&once, p->subject, offset);
        if (expected == actual)
            continue;
        const ts_open open = operator_open(marks, t, tensor_number(tensor, coord));
        if (open == TS_UNDEFINED || (open == TS_SEVERAL && is_allowed(d, t, coord, actual))) {
            j->open_differs = true;
            continue;
        }
        if (j->differing == 0) {
            j->verdict = wrong;
            j->tensor = (int)t;
            memcpy(j->coord, coord, sizeof coord);
            j->offset = offset;
            j->expected = expected;
            j->actual = actual;
            j->several = open == TS_SEVERAL;
        }
        j->differing += times;
        j->values = fill_mix(j->values ^ fill_mix(offset * TS_MAX_TENSORS + t) ^ actual);
    } while (p->sparse ? sparse_next(&once, coord) : tensor_next(&once, coord));
}

void compare_buffers_explain(const ts_operator *op, const ts_descriptor *d, const arena_place *places,
                             const ts_marks *marks, judgement *j)
{
    memset(j, 0, sizeof *j);
    j->verdict = VERDICT_PASS;
    j->tensor = -1;
    for (unsigned t = 0; t < op->tensor_count; ++t)
        if (is_compared(op, d, places, t) && j->verdict == VERDICT_PASS)
            compare_outside((int)t, &places[t], j);
    for (unsigned t = 0; t < op->tensor_count && j->verdict == VERDICT_PASS; ++t)
        if (is_compared(op, d, places, t) && op->tensors[t].role == TS_INPUT &&
            !same_region(&d->tensors[t], &places[t], false)) {
            compare_elements(d, t, &places[t], NULL, VERDICT_MODIFIED_INPUT, j);
            if (j->verdict == VERDICT_PASS) { /* a gap of an input was written */
                j->verdict = VERDICT_MODIFIED_INPUT;
                j->tensor = (int)t;
            }
        }
    for (unsigned t = 0; t < op->tensor_count; ++t) {
        if (op->tensors[t].role != TS_OUTPUT || !(d->tensors[t].given & TS_GIVEN_TENSOR))
            continue;
        uint64_t differing = j->differing;
        if (j->verdict == VERDICT_PASS)
            compare_elements(d, t, &places[t], marks, VERDICT_MISMATCH, j);
        if (j->verdict == VERDICT_PASS && !j->open_differs && differing == j->differing &&
            !same_region(&d->tensors[t], &places[t], false))
            j->gap_write = true;
    }
}
