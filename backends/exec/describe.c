/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/exec/describe.h"

#include "reference/operators.h"

#include <stdio.h>
#include <string.h>

size_t describe_operator(const char *op, char *buf, size_t size)
{
    static const char *const types[] = {
        [TS_ATTR_U32] = "u32",  [TS_ATTR_I32] = "i32", [TS_ATTR_I64] = "i64",   [TS_ATTR_BIT] = "u8",
        [TS_ATTR_BOOL] = "u32", [TS_ATTR_F32] = "f32", [TS_ATTR_UNION] = "u64", [TS_ATTR_OPERATOR] = "operator"
    };
    const ts_operator *o = operators_find_known(op); /* computed, or only checked */
    size_t used = 0;
    buf[0] = '\0';
    for (unsigned i = 0; o && i < o->tensor_count && used < size; ++i)
        used +=
            (size_t)snprintf(buf + used, size - used, "%s %s%s\n", o->tensors[i].role == TS_INPUT ? "input" : "output",
                             o->tensors[i].name, o->tensors[i].optional ? " optional" : "");
    for (unsigned i = 0; o && i < o->attr_count && used < size; ++i) {
        const ts_attr_decl *a = &o->attrs[i];
        used += (size_t)snprintf(buf + used, size - used, "attribute %s %s %u %u", a->name, types[a->type],
                                 a->count == TS_SCALAR ? 1 : (unsigned)a->capacity, (unsigned)a->offset);
        if (a->count == TS_ARRAY && used < size)
            used += (size_t)snprintf(buf + used, size - used, " %u", (unsigned)a->count_offset);
        if (used < size)
            used += (size_t)snprintf(buf + used, size - used, "\n");
    }
    return used < size ? used : size - 1;
}

/* Append a line of a name and clauses; returns the length. */
static size_t add_names(char *buf, size_t size, size_t used, const char *name, size_t length, const ts_clause *clauses,
                        unsigned count)
{
    if (used < size)
        used += (size_t)snprintf(buf + used, size - used, "%.*s", (int)length, name);
    for (unsigned i = 0; i < count && used < size; ++i)
        used += (size_t)snprintf(buf + used, size - used, " %s", clauses[i].id);
    if (used < size)
        used += (size_t)snprintf(buf + used, size - used, "\n");
    return used;
}

bool describe_names(char *buf, size_t size)
{
    const ts_clause *shared = NULL;
    const ts_operator *o;
    size_t used = 0;
    buf[0] = '\0';
    for (size_t i = 0; (o = operators_known(i)) && used < size; ++i) {
        used = add_names(buf, size, used, o->name, strlen(o->name), o->clauses, o->clause_count);
        if (o->shared && o->shared != shared)
            used = add_names(buf, size, used, o->name, strcspn(o->name, "."), o->shared, o->shared_count);
        shared = o->shared;
    }
    return used < size;
}
