/* SPDX-License-Identifier: Apache-2.0 */
/* Replays of cases that are named by ids: they may belong to any test of an operator, and a run need not have them. */
#include "harness/execute/execute_replay.h"

#include "harness/execute/execute_item.h"
#include "harness/execute/finding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The cases of a replay while they are executed. */
typedef struct case_list {
    executor *x;
    const case_file *file;
    const replay *request;
    replay_result *r;
    const case_test *test; /* of the last case */
    space_cursor cursor;
} case_list;

/* Put the cursor at the case "drawn:size=3.1". False: there is none. */
static bool place(case_list *l, const char *line, error *e)
{
    const size_t length = strcspn(line, ":");
    expr_value values[EXPR_MAX_SLOTS];
    const case_test *t = NULL;
    error none;
    for (size_t i = 0; !t && i < l->file->test_count; ++i)
        if (strlen(l->file->tests[i].name) == length && memcmp(l->file->tests[i].name, line, length) == 0)
            t = &l->file->tests[i];
    if (!t || line[length] != ':')
        return error_set(e, "%s has no test of the case '%s'", l->file->path, line);
    if (t != l->test && !item_begin(l->x, t, e))
        return false;
    l->test = t;
    l->x->range.no_reruns = l->request->kind == REPLAY_CASES;
    l->x->range.watched_by_place = true;
    if (!space_parse_values(t->space, line + length + 1, values, &none) ||
        !space_place(&l->cursor, t->space, values, 0, &none) || !item_gate(l->x, l->cursor.values, 0))
        l->cursor.space = NULL;
    return true;
}

/* Load the case as the first item. False with EXIT_BAD_USAGE: its data do not fit, and it is no case. */
static bool load(case_list *l, uint64_t at, error *e)
{
    l->x->batch.items[0].watch_id = at;
    return item_load(l->x, &l->cursor, 0, l->request->death == VERDICT_NONE, e);
}

static bool describe(case_list *l, execute_item *item, const judgement *j, verdict v, const char *line, error *e)
{
    char id[CASE_ID_SIZE + 64];
    char *rendered = item_executes(item) && !item->preset ? finding_render(l->x, item) : NULL;
    store_finding *f = chunk_add_finding(&l->r->chunk);
    if (!f) {
        free(rendered);
        return error_set(e, "out of memory");
    }
    f->tensors = rendered;
    snprintf(id, sizeof id, "%s:%s", l->file->op->name, line);
    if (!finding_describe(l->x, item, j, v, id, f, e))
        return false;
    f->index = 0;
    l->r->chunk.first = 0;
    l->r->chunk.last = 1;
    return chunk_add(&l->r->chunk, 0, operator_dtype(&item->instance->descriptor), item->level, v, e);
}

/* Execute one case. *v: its verdict. */
static bool run(case_list *l, const char *line, uint64_t at, verdict *v, error *e)
{
    execute_item *item = &l->x->batch.items[0];
    judgement j;
    bool compared;
    *v = VERDICT_NONE;
    if (!place(l, line, e))
        return false;
    const class_failure *failed = &l->x->known.failure;
    l->x->range.tainted |= failed->key != 0; /* of a query that nothing went before, the case has the verdict */
    if (!l->cursor.space || failed->used)
        return true;
    if (!load(l, at, e))
        return e->status == EXIT_BAD_USAGE;
    if (l->request->death) {
        item->preset = l->request->death;
        item->failure = l->request->how;
    }
    if (item->phase == ITEM_IN_SUBMIT && !item->preset)
        item_submit(l->x, item, 1);
    *v = item_conclude(l->x, item, &j, &compared);
    if (item->faulted && item->fault.signal)
        snprintf(l->r->how, sizeof l->r->how, "ended in %s", item->fault.name);
    else if (item->faulted && item->failure) /* a query that failed in other processes */
        snprintf(l->r->how, sizeof l->r->how, "%s", item->failure);
    const bool fine = l->request->kind != REPLAY_FINDING || !verdict_fails(*v) || describe(l, item, &j, *v, line, e);
    item_hide_expected(item);
    return fine;
}

bool execute_cases(executor *x, const case_file *file, const replay *request, replay_result *r, error *e)
{
    case_list *l = calloc(1, sizeof *l); /* a cursor is too large for the stack */
    const char *line = request->points;
    verdict v = VERDICT_NONE;
    bool fine = l || error_set(e, "out of memory");
    if (l)
        *l = (case_list){ .x = x, .file = file, .request = request, .r = r };
    for (uint64_t i = 0; fine && line && i < request->cases && !x->range.tainted; ++i) {
        char id[CASE_ID_SIZE];
        const size_t length = strcspn(line, "\n");
        if (length >= sizeof id) {
            fine = error_set(e, "a case has more than %d characters", CASE_ID_SIZE - 1);
            break;
        }
        memcpy(id, line, length);
        id[length] = '\0';
        line = line[length] ? line + length + 1 : NULL;
        r->at = i;
        fine = run(l, id, i, &v, e) && replay_add_number(r, v, e);
        if (request->stop && v == request->stop)
            break;
    }
    r->tainted = x->range.tainted;
    free(l);
    return fine;
}
