/* SPDX-License-Identifier: Apache-2.0 */
/* What a descriptor leaves out, or has in a form that cannot be read, in words. */
#include "harness/check/check_print.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

check_place check_mistake_place(const check_item *item, const descriptor_mistake *m)
{
    check_place place = item->place;
    return item->locate_mistake && item->locate_mistake(item, m, &place) ? place : item->place;
}

const char *check_stand_in(const check_item *item, int tensor, int attr, const char *field, int index)
{
    for (unsigned i = 0; i < item->gaps.unread_count; ++i) {
        const ts_mention *m = &item->gaps.unread[i];
        if (m->tensor == tensor && m->attr == attr && (m->field[0] == 0 || strcmp(m->field, field) == 0) &&
            (m->index < 0 || m->index == index))
            return item->gaps.stated[i][0] ? item->gaps.stated[i] : "?";
    }
    return NULL;
}

bool check_is_unread(const check_item *item, int tensor, int attr, const char *field, int index)
{
    return check_stand_in(item, tensor, attr, field, index) != NULL;
}

/* Append to a text, cutting off what does not fit. */
static void append(char *buf, size_t size, const char *format, ...) ERROR_PRINTF(3, 4);
static void append(char *buf, size_t size, const char *format, ...)
{
    size_t used = strlen(buf);
    va_list args;
    va_start(args, format);
    vsnprintf(buf + used, size - used, format, args);
    va_end(args);
}

/* Sizes that are open, if there are any, are question marks. */
static void append_sizes(const ts_tensor *t, bool open, char *buf, size_t size)
{
    append(buf, size, "{");
    for (uint32_t i = 0; i < t->rank && i < TS_MAX_DIMS; ++i) {
        append(buf, size, "%s", i ? "," : "");
        if (open && t->sizes[i] == 0)
            append(buf, size, "?");
        else
            append(buf, size, "%" PRIu64, t->sizes[i]);
    }
    append(buf, size, "}");
}

bool check_lacks_sizes(const check_item *item, unsigned k)
{
    return (item->gaps.no_shape >> k & 1) &&
           (!item->d.op->solve || check_is_unread(item, (int)k, -1, "Sizes", -1));
}

/* Is the data type of a tensor one that cannot be read? Then that of the output is not known either. */
static bool lacks_type(const descriptor_gaps *gaps)
{
    for (unsigned i = 0; i < gaps->unread_count; ++i)
        if (gaps->unread[i].tensor >= 0 && strcmp(gaps->unread[i].field, "DataType") == 0)
            return true;
    return false;
}

void check_inferred(const check_item *item, unsigned k, char *buf, size_t size)
{
    const descriptor_gaps *gaps = &item->gaps;
    const ts_operator *op = item->d.op;
    const ts_tensor *t = &item->d.tensors[k];
    const char *name = op->tensors[k].name;
    bool absent = gaps->absent >> k & 1, type = gaps->inferred_type >> k & 1, sizes = gaps->inferred_sizes >> k & 1;
    const bool no_shape = check_lacks_sizes(item, k), open = gaps->no_shape >> k & 1;
    buf[0] = 0;
    if (absent && no_shape)
        append(buf, size, "%s is absent, and cannot be inferred from what is there", name);
    else if (absent)
        append(buf, size, "%s is absent: inferred as %s%s", name,
               lacks_type(gaps) ? "" : operator_dtype_name(op, t->dtype), lacks_type(gaps) ? "" : " ");
    else if (sizes)
        append(buf, size, "the sizes of %s are absent%s", name,
               no_shape ? ", and cannot be inferred" : ": inferred as ");
    if ((absent || sizes) && !no_shape)
        append_sizes(t, open, buf, size);
    if (type)
        append(buf, size, "%sthe data type of %s is absent: inferred as %s", sizes ? "; " : "", name,
               operator_dtype_name(op, t->dtype));
}

/* Does an earlier entry name the same field, perhaps with another element? */
static bool named_before(const descriptor_gaps *gaps, unsigned i)
{
    const ts_mention *m = &gaps->unread[i];
    for (unsigned j = 0; j < i; ++j) {
        const ts_mention *other = &gaps->unread[j];
        if (other->tensor == m->tensor && other->attr == m->attr && strcmp(other->field, m->field) == 0 &&
            (other->index < 0 || other->index == m->index))
            return true;
    }
    return false;
}

/* What remains possible of a field that rules do not determine: " (3 to 4: OP-11)". */
static void append_possible(const check_item *item, const ts_mention *m, char *buf, size_t size)
{
    uint32_t left = m->tensor >= 0 && strcmp(m->field, "DataType") == 0 ? item->fitting[m->tensor] : 0;
    const char *before = " (";
    for (uint32_t type = 1; left; ++type) {
        if (!(left & TS_DTYPE_BIT(type)))
            continue;
        left &= ~TS_DTYPE_BIT(type);
        append(buf, size, "%s%s%s", before, operator_dtype_name(item->d.op, type), left ? "" : ")");
        before = left & (left - 1) ? ", " : " or ";
    }
    const ts_bound *b = m->tensor >= 0 && m->index >= 0 && m->index < TS_MAX_DIMS && strcmp(m->field, "Sizes") == 0
                            ? &item->bounds[m->tensor][m->index]
                            : NULL;
    if (b && b->clause && b->most)
        append(buf, size, " (%" PRIu64 " to %" PRIu64 ": %s)", b->least, b->most, b->clause);
    else if (b && b->clause)
        append(buf, size, " (at least %" PRIu64 ": %s)", b->least, b->clause);
}

void check_not_judged(const check_item *item, char *buf, size_t size)
{
    const ts_operator *op = item->d.op;
    buf[0] = 0;
    for (unsigned i = 0; i < item->gaps.unread_count; ++i) {
        const ts_mention *m = &item->gaps.unread[i];
        if (named_before(&item->gaps, i))
            continue;
        append(buf, size, "%s%s%s%s", buf[0] ? ", " : "",
               m->attr >= 0 ? op->attrs[m->attr].name : op->tensors[m->tensor].name, m->field[0] ? "." : "", m->field);
        if (m->index >= 0)
            append(buf, size, "[%d]", m->index);
        append_possible(item, m, buf, size);
    }
}
