/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/execute/finding_derived.h"

#include "harness/model/derive.h"
#include "harness/model/value.h"
#include "reference/operators.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_MISTAKES 64
#define MOST_NAMED    2
#define OTHER_INPUTS  3 /* executions with other contents of the first input */

/* The mistakes that give exactly the backend's outputs, out of `among`: a bit each. */
static uint64_t matching(execute_item *item, const ts_derivation *how, unsigned attempt, uint64_t among)
{
    const ts_descriptor *d = &item->instance->descriptor;
    uint64_t found = 0;
    for (unsigned i = 0; i < how->mistake_count && i < MOST_MISTAKES; ++i) {
        if (!(among >> i & 1))
            continue;
        item_reset_golden(item, attempt);
        item_run_golden(item, how->mistakes[i].run);
        if (compare_buffers_equal(d->op, d, item->places))
            found |= UINT64_C(1) << i;
    }
    return found;
}

/* What holds of the wrong element in every execution with other inputs. */
typedef struct steady {
    bool untouched, zero, right;
} steady;

/* Execute the case with other contents of the first input. Returns the mistakes that still match. */
static uint64_t try_other_inputs(executor *x, execute_item *item, const judgement *j, const ts_derivation *how,
                                 uint64_t left, steady *seen)
{
    const ts_tensor *in = &item->instance->descriptor.tensors[0];
    const ts_tensor *out = &item->instance->descriptor.tensors[j->tensor];
    const uint64_t at = j->offset * tensor_element_bytes(out->dtype);
    unsigned char poison[8];
    *seen = (steady){ true, true, true };
    for (unsigned attempt = 1; attempt <= OTHER_INPUTS; ++attempt) {
        fill_buffer(FILL_BITS, in->dtype, item->places[0].golden, item->places[0].bytes, fill_mix(attempt));
        item_hide_expected(item);
        item_reset_subject(item, attempt);
        item_submit(x, item, 1);
        item_reset_golden(item, attempt);
        item_run_reference(item);
        if (item->faulted || item->status != TS_OK) {
            *seen = (steady){ false, false, false };
            return 0;
        }
        const uint64_t golden = value_bits(out->dtype, item->places[j->tensor].golden + at);
        const uint64_t subject = value_bits(out->dtype, item->places[j->tensor].subject + at);
        memset(poison, item_poison(item, attempt), sizeof poison);
        seen->untouched = seen->untouched && subject == value_bits(out->dtype, poison);
        seen->zero = seen->zero && subject == 0;
        seen->right = seen->right && subject == golden;
        left = matching(item, how, attempt, left);
    }
    return left;
}

/* Write the mistakes; nothing where there are none, or too many to be told apart. */
static void name_mistakes(const ts_derivation *how, uint64_t left, char *buf, size_t size)
{
    unsigned named = 0;
    size_t used = 0;
    buf[0] = '\0';
    for (unsigned i = 0; i < how->mistake_count && i < MOST_MISTAKES; ++i)
        if ((left >> i & 1) && ++named <= MOST_NAMED && used < size)
            used += (size_t)snprintf(buf + used, size - used, "%s%s", named > 1 ? ", or " : "as if ",
                                     how->mistakes[i].text);
    if (named > MOST_NAMED || used >= size)
        buf[0] = '\0';
}

void derived_describe(executor *x, execute_item *item, const judgement *j, derived *out)
{
    const ts_descriptor *d = &item->instance->descriptor;
    const ts_derivation *how = operators_derivation(d->op->name);
    char text[700] = "";
    steady seen;
    *out = (derived){ .source = "" };
    if (!how || item->places[0].sparse || d->op->tensors[j->tensor].role != TS_OUTPUT)
        return;
    ts_descriptor expected = item_results(item), actual = expected;
    for (unsigned t = 0; t < d->op->tensor_count; ++t) {
        expected.tensors[t].data = item->places[t].golden;
        actual.tensors[t].data = item->places[t].subject;
    }
    item_run_reference(item);
    how->describe(&expected, &actual, (unsigned)j->tensor, j->coord, text, sizeof text);
    uint64_t left = matching(item, how, 0, UINT64_MAX);
    left = try_other_inputs(x, item, j, how, left, &seen);
    if (seen.untouched)
        snprintf(out->source, sizeof out->source, "never written: it still holds the poison");
    else
        name_mistakes(how, left, out->source, sizeof out->source);
    if (!*out->source && seen.zero && j->actual == 0)
        snprintf(out->source, sizeof out->source, "0, whatever %s holds", d->op->tensors[0].name);
    snprintf(out->sentence, sizeof out->sentence, ". %s%s%s%s", text,
             !*out->source                           ? ""
             : strncmp(out->source, "as if", 5) == 0 ? ". All outputs are "
             : seen.untouched                        ? ". It was "
                                                     : ". It is ",
             out->source,
             seen.right && !*out->source ? ". It came right when the case was executed again with other inputs" : "");
}
