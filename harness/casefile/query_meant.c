/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/query_meant.h"

#include "harness/base/did_you_mean.h"
#include "harness/base/text.h"
#include "harness/casefile/query.h"
#include "harness/model/descriptor.h"
#include "reference/operators.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

const ts_operator *query_computed(const ts_operator *op)
{
    size_t count;
    const ts_operator *const *all = operators_all(&count);
    for (size_t i = 0; i < count && !operator_has_cases(op); ++i)
        if (text_is_version(all[i]->name, op->name, strlen(op->name)))
            return all[i];
    return NULL;
}

/* Is it another name of the operator: its type, or its own one without the specification? */
static bool is_name_of(const ts_operator *op, const char *name)
{
    const char *dot = strchr(op->name, '.');
    return descriptor_is_alias(op, name) || descriptor_is_of_type(op->title, name) ||
           descriptor_is_of_type(op->other_title, name) || (dot && strcasecmp(dot + 1, name) == 0);
}

const ts_operator *query_meant(const char *name)
{
    const ts_operator *op, *meant = NULL;
    did_you_mean search;
    did_you_mean_start(&search, name);
    for (size_t i = 0; !meant && (op = operators_known(i)); ++i) {
        did_you_mean_try(&search, op->name);
        if (is_name_of(op, name))
            meant = op;
    }
    if (!meant && search.best)
        meant = operators_find_known(search.best);
    op = meant ? query_computed(meant) : NULL;
    return op ? op : meant;
}

const ts_operator *query_checked(const char *written)
{
    query q;
    error ignored;
    const ts_operator *op = query_parse(written, &q, &ignored) ? operators_find_known(q.op) : NULL;
    return op && !operator_has_cases(op) ? op : NULL;
}

const char *query_note(const char *const *queries, size_t count, char buf[static QUERY_NOTE_SIZE])
{
    buf[0] = 0;
    for (size_t i = 0; i < count && !buf[0]; ++i) {
        const ts_operator *op = query_checked(queries[i]), *other = op ? query_computed(op) : NULL;
        if (op)
            snprintf(buf, QUERY_NOTE_SIZE, "; %s is checked, not computed%s%s%s", op->name,
                     other ? " (did you mean '" : "", other ? other->name : "", other ? "'?)" : "");
    }
    return buf;
}
