/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/run_axes.h"

#include <jansson.h>
#include <stdlib.h>

/* The object of the operator, which is made if there is none yet; NULL where memory is out. */
static json_t *object_of(json_t *all, const char *op)
{
    json_t *found = json_object_get(all, op);
    if (found || json_object_set_new(all, op, json_object()) != 0)
        return found;
    return json_object_get(all, op);
}

static bool add_test(json_t *all, const case_test *t)
{
    json_t *axes = object_of(all, t->file->op->name);
    for (size_t i = 0; axes && i < space_axis_count(t->space); ++i) {
        const space_axis *axis = space_axis_at(t->space, i);
        if (axis->position || !axis->description || json_object_get(axes, axis->name))
            continue;
        if (json_object_set_new(axes, axis->name, json_string(axis->description)) != 0)
            return false;
    }
    return axes != NULL;
}

bool run_axes_store(store *s, const plan *p, error *e)
{
    json_t *all = json_object();
    bool fine = all != NULL;
    for (size_t i = 0; fine && i < p->item_count; ++i)
        fine = add_test(all, p->items[i].test);
    char *text = fine ? json_dumps(all, JSON_COMPACT) : NULL;
    fine = text ? store_set(s, STORE_AXES, text, e) : error_set(e, "out of memory");
    free(text);
    json_decref(all);
    return fine;
}
