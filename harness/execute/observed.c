/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/execute/observed.h"

#include "harness/model/value.h"
#include "reference/ledger.h"

#include <stdio.h>
#include <string.h>

size_t observed_entries(const execute_item *item, observed_subject entries[OBSERVED_MOST])
{
    const ts_operator *op = item->instance->descriptor.op;
    size_t count = 0;
    if (item->instance->invalid && !item->instance->ambiguous) {
        const ledger_entry *entry =
            case_exceeds_limit(item->instance) ? NULL : ledger_of_clause(op->name, item->instance->invalid);
        entries[count++] = (observed_subject){ entry ? entry->id : item->instance->invalid, TS_ONE_ANSWER };
        return count;
    }
    const char *doubt = item->status == TS_REJECTED && !item->instance->ambiguous && !item->may_fail ? item_doubt(item)
                                                                                                    : NULL;
    if (doubt) {
        const ledger_entry *entry = ledger_of_clause(op->name, doubt);
        entries[count++] = (observed_subject){ entry ? entry->id : doubt, TS_ONE_ANSWER };
        return count;
    }
    if (item->instance->ambiguous) {
        entries[count++] = (observed_subject){ item->instance->ambiguous, TS_ONE_ANSWER };
        return count;
    }
    if ((item->unspecified || item->open_shape) && op->undefined)
        entries[count++] = (observed_subject){ op->undefined, TS_UNDEFINED };
    if (item->several && op->several)
        entries[count++] = (observed_subject){ op->several, TS_SEVERAL };
    return count;
}

/* How the elements that an observation is about differ between the reference and the backend. */
typedef struct difference {
    uint64_t elements;
    bool all_zero, all_poison; /* of the backend's elements that differ */
    unsigned tensor;           /* the first one: */
    uint64_t coord[TS_MAX_DIMS], expected, actual;
} difference;

/* Is an element that differs no part of an observation? One about all elements leaves out those that are undefined, and
   those that have one of several answers. */
static bool is_left_out(execute_item *item, unsigned t, const uint64_t *coord, ts_open open, ts_open about,
                        uint64_t actual)
{
    if (about != TS_ONE_ANSWER)
        return open != about;
    return open == TS_UNDEFINED || (open == TS_SEVERAL && item_answers(item, t, coord, actual).allowed);
}

static void compare_output(execute_item *item, unsigned t, const ts_marks *marks, ts_open about, difference *out)
{
    const ts_tensor result = item_tensor(item, t), *tensor = &result;
    const arena_place *p = &item->places[t];
    size_t size = tensor_element_bytes(tensor->dtype);
    unsigned char poison[8];
    uint64_t coord[TS_MAX_DIMS] = { 0 }, count;
    if (!tensor_element_count(tensor, &count) || count == 0)
        return;
    memset(poison, item_poison(item, 0), sizeof poison);
    do {
        uint64_t offset = tensor_offset(tensor, coord) * size;
        uint64_t expected = value_bits(tensor->dtype, p->golden + offset);
        uint64_t actual = value_bits(tensor->dtype, p->subject + offset);
        if (expected == actual)
            continue;
        const ts_open open = operator_open(marks, t, tensor_number(tensor, coord));
        if (marks && is_left_out(item, t, coord, open, about, actual))
            continue;
        if (out->elements++ == 0) {
            out->tensor = t;
            out->expected = expected;
            out->actual = actual;
            memcpy(out->coord, coord, sizeof coord);
        }
        out->all_zero = out->all_zero && actual == 0;
        out->all_poison = out->all_poison && actual == value_bits(tensor->dtype, poison);
    } while (tensor_next(tensor, coord));
}

/* marks: those of the item, or NULL where the observation is about all elements that differ. */
static difference compare(execute_item *item, const ts_marks *marks, ts_open about)
{
    const ts_descriptor *d = &item->instance->descriptor;
    difference out = { .all_zero = true, .all_poison = true };
    for (unsigned t = 0; t < d->op->tensor_count; ++t)
        if (d->op->tensors[t].role == TS_OUTPUT && (d->tensors[t].given & TS_GIVEN_TENSOR))
            compare_output(item, t, marks, about, &out);
    return out;
}

/* The name of the first known interpretation that gives the backend's outputs, or NULL. */
static const char *find_interpretation(execute_item *item, const ts_marks *marks, const observed_subject *o)
{
    const ts_operator *op = item->instance->descriptor.op;
    const char *name = NULL;
    for (unsigned i = 0; i < op->interpretation_count && !name; ++i) {
        const ts_interpretation *r = &op->interpretations[i];
        if (strcmp(r->entry, o->entry) != 0 || !r->run)
            continue;
        item_run_golden(item, r->run);
        if (compare(item, marks, o->about).elements == 0)
            name = r->name;
    }
    item_run_reference(item);
    return name;
}

/* The name of our decision, or NULL. */
static const char *decision_name(const ts_descriptor *d, const char *entry)
{
    const ts_operator *op = d->op;
    for (unsigned i = 0; i < op->interpretation_count; ++i) {
        const ts_interpretation *r = &op->interpretations[i];
        if (strcmp(r->entry, entry) == 0 && !r->run)
            return d->profile == TS_PROFILE_NUMPY && r->numpy ? r->numpy : r->name;
    }
    return NULL;
}

void observed_describe(executor *x, execute_item *item, const observed_subject *o, char *kind, size_t kind_size,
                       char *detail, size_t detail_size)
{
    const ts_descriptor *d = &item->instance->descriptor;
    const char *const entry = o->entry;
    unsigned other;
    char place[160], expected[96], actual[96];
    const char *name;
    detail[0] = '\0';
    const char *const accepted = item->instance->computed && item->status != TS_REJECTED ? OBSERVED_COMPUTED : "";
    if (item_shape_differs(item, &other)) {
        value_format_shape(&item->reported[other], place, sizeof place);
        snprintf(kind, kind_size, "%s: %sother than our decision (sizes %s)", entry, accepted, place);
        return;
    }
    if (item->instance->invalid)
        snprintf(detail, detail_size, "breaks %s%s%s", item->instance->invalid, *item->note ? ": " : "", item->note);
    if (item->status == TS_REJECTED || (item->instance->invalid && !item->instance->computed)) {
        snprintf(kind, kind_size, "%s: %s%s", entry, item->status == TS_REJECTED ? "refused" : OBSERVED_ACCEPTED,
                 case_exceeds_limit(item->instance) ? OBSERVED_BEYOND : "");
        return;
    }
    /* With one kind of open elements, no others differ in a case that passes. */
    const bool both = item->unspecified && item->several && o->about != TS_ONE_ANSWER;
    const ts_marks *marks = both || item->instance->computed ? item_marks(x, item) : NULL;
    difference seen = compare(item, marks, o->about);
    if (seen.elements == 0) {
        name = decision_name(d, entry);
        snprintf(kind, kind_size, "%s: %sour decision%s%s%s", entry, accepted, name ? " (" : "", name ? name : "",
                 name ? ")" : "");
        return;
    }
    name = find_interpretation(item, marks, o);
    if (name)
        snprintf(kind, kind_size, "%s: %sanother known interpretation (%s)", entry, accepted, name);
    else
        snprintf(kind, kind_size, "%s: %sother than our decision (%s)", entry, accepted,
                 o->about == TS_SEVERAL ? "another of the values"
                 : seen.all_poison      ? "not written"
                 : seen.all_zero        ? "zero"
                                        : "other values");
    const ts_tensor *t = &d->tensors[seen.tensor];
    value_format_list(seen.coord, t->rank, place, sizeof place);
    value_format_bits(t->dtype, seen.expected, expected, sizeof expected);
    value_format_bits(t->dtype, seen.actual, actual, sizeof actual);
    const size_t used = strlen(detail);
    snprintf(detail + used, detail_size - used, "%s%s%s is %s; our decision gives %s", used ? "; " : "",
             d->op->tensors[seen.tensor].name, place, actual, expected);
}

bool observed_as_decided(const char *behaviour)
{
    static const char start[] = "our decision"; /* as observed_describe writes it */
    return strncmp(behaviour, start, sizeof start - 1) == 0;
}
