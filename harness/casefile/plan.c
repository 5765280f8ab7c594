/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/plan.h"

#include "harness/base/array.h"
#include "harness/casefile/query.h"
#include "harness/casefile/quick.h"
#include "harness/casefile/sandbox.h"
#include "reference/operators.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

/* Can a query be asked of a test? Not every test has the axes of every predicate, or the point of an id. */
typedef enum fit { FITS, FITS_NOT, BROKEN } fit;

/* Text of a predicate that holds at one point only. */
typedef struct point {
    char text[4096];
} point;

/* The least integer has no literal. */
static const char *integer(int64_t value, char buf[32])
{
    snprintf(buf, 32, "%lld%s", (long long)(value == INT64_MIN ? value + 1 : value), value == INT64_MIN ? " - 1" : "");
    return buf;
}

/* " or kind[2] ~= "new"": element k of a vector is something else. */
static size_t append_condition(char *out, size_t size, const space_axis *axis, uint32_t k, int64_t value)
{
    char number[32];
    for (size_t i = 0; i < axis->symbol_count; ++i)
        if (axis->symbol_values[i] == value)
            return (size_t)snprintf(out, size, " or %s[%u] ~= \"%s\"", axis->name, (unsigned)k + 1, axis->symbols[i]);
    return (size_t)snprintf(out, size, " or %s[%u] ~= %s", axis->name, (unsigned)k + 1, integer(value, number));
}

/* False where it does not fit. Before any filter, since those of other queries may rule the point out. */
static bool describe_point(const space *s, uint64_t index, char *out, size_t size)
{
    space_cursor c;
    char number[32];
    size_t used = 0;
    if (!space_start(&c, s, index, index + 1, NULL, NULL))
        return false;
    for (size_t slot = 0; slot < space_axis_count(s) && used < size; ++slot) {
        const space_axis *axis = space_axis_at(s, slot);
        const char *name = axis->name, *and = used ? " and " : "";
        const expr_value *value = &c.values[slot];
        if (axis->position)
            continue;
        if (axis->per != SPACE_SCALAR) { /* one condition for each axis, the length before the elements */
            used +=
                (size_t)snprintf(out + used, size - used, "%snot (len(%s) ~= %u", and, name, (unsigned)value->length);
            for (uint32_t k = 0; k < value->length && used < size; ++k)
                used += append_condition(out + used, size - used, axis, k, value->v[k]);
            if (used < size)
                used += (size_t)snprintf(out + used, size - used, ")");
            continue;
        }
        size_t k = 0;
        while (k < axis->symbol_count && axis->symbol_values[k] != value->v[0])
            ++k;
        used +=
            (size_t)(k < axis->symbol_count
                         ? snprintf(out + used, size - used, "%s%s == \"%s\"", and, name, axis->symbols[k])
                         : snprintf(out + used, size - used, "%s%s == %s", and, name, integer(value->v[0], number)));
    }
    return used < size;
}

/* The range of a test will be that of all queries together, which says no longer which points the exact ones mean.
   So these get a predicate each. */
static bool describe_points(case_test *t, const query *queries, point *points, size_t count, error *e)
{
    for (size_t k = 0; k < count; ++k) {
        const query *q = &queries[k];
        uint64_t index;
        error unfit; /* told by select_test */
        points[k].text[0] = '\0';
        if (!q->exact || strcmp(q->op, t->file->op->name) != 0 || strcmp(q->test, t->name) != 0)
            continue;
        if (!casefile_prepare(t, e))
            return false;
        if (!space_parse_id(t->space, q->parameters, &index, &unfit))
            continue;
        size_t used =
            *q->predicate ? (size_t)snprintf(points[k].text, sizeof points[k].text, "(%s) and ", q->predicate) : 0;
        if (!describe_point(t->space, index, points[k].text + used, sizeof points[k].text - used))
            return error_usage(e, "query '%s' is too long to be joined with others; run it alone", q->text);
    }
    return true;
}

/* A test of another tier is in tier quick by its chosen cases, unless a query names it: then it is all of it. Where
   none asks for it, there is nothing to choose, which takes its time. */
static bool choose_cases(case_test *t, const quick_cases *chosen, const query *queries, size_t count, error *e)
{
    bool wanted = false;
    for (size_t k = 0; k < count; ++k) {
        if (!query_match(queries[k].op, t->file->op->name) || !query_match(queries[k].test, t->name))
            continue;
        if (queries[k].names_test)
            return true;
        wanted = true;
    }
    return !wanted || quick_choose(chosen, t, e);
}

static fit select_test(plan *p, case_test *t, const query *q, const char *predicate, error *e)
{
    if (!casefile_prepare(t, e))
        return BROKEN;
    plan_item *item = p->item_count && p->items[p->item_count - 1].test == t ? &p->items[p->item_count - 1] : NULL;
    uint64_t first = 0, end = space_points(t->space);
    if (q->exact) {
        if (!space_parse_id(t->space, q->parameters, &first, e))
            return FITS_NOT;
        end = first + 1;
    }
    /* One alternative for each query, so that several make a union. */
    if (!space_filter(t->space, *predicate ? predicate : NULL, "query", e))
        return FITS_NOT;
    if (item) {
        item->first = first < item->first ? first : item->first;
        item->end = end > item->end ? end : item->end;
        return FITS;
    }
    if (!array_reserve(&p->items, &p->item_capacity, p->item_count + 1, sizeof *p->items)) {
        error_set(e, "out of memory");
        return BROKEN;
    }
    p->items[p->item_count++] = (plan_item){ t, first, end };
    return FITS;
}

static bool digest_file(XXH3_state_t *state, const char *path, error *e)
{
    char block[4096];
    size_t n;
    FILE *f = fopen(path, "rb");
    if (!f)
        return error_usage(e, "%s: cannot be read", path);
    while ((n = fread(block, 1, sizeof block, f)) > 0)
        XXH3_128bits_update(state, block, n);
    fclose(f);
    return true;
}

static bool digest_suite(plan *p, const quick_cases *chosen, error *e)
{
    size_t count;
    const ts_operator *const *all = operators_all(&count);
    XXH3_state_t state;
    XXH3_128bits_reset(&state);
    XXH3_128bits_update(&state, operators_digest(), strlen(operators_digest()));
    for (size_t i = 0; i < count; ++i) {
        char path[PATH_MAX], shared[PATH_MAX];
        if (!casefile_path(all[i], path, sizeof path, e) || !sandbox_shared_path(path, shared, sizeof shared, e))
            return false;
        XXH3_128bits_update(&state, all[i]->name, strlen(all[i]->name));
        if (!digest_file(&state, path, e) || (access(shared, R_OK) == 0 && !digest_file(&state, shared, e)))
            return false;
    }
    if (quick_exists(chosen) && !digest_file(&state, chosen->path, e))
        return false;
    XXH128_hash_t hash = XXH3_128bits_digest(&state);
    snprintf(p->suite_digest, sizeof p->suite_digest, "%016llx%016llx", (unsigned long long)hash.high64,
             (unsigned long long)hash.low64);
    return true;
}

static bool unknown_operator(const query *q, error *e)
{
    char names[512] = "";
    size_t count, used = 0;
    const ts_operator *const *all = operators_all(&count);
    for (size_t i = 0; i < count && used < sizeof names; ++i)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", all[i]->name);
    return error_usage(e, "query '%s': there is no operator '%s'; there are %s", q->text, q->op, names);
}

static bool unknown_test(const case_file *f, const query *q, error *e)
{
    char names[512] = "";
    size_t used = 0;
    for (size_t i = 0; i < f->test_count && used < sizeof names; ++i)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", f->tests[i].name);
    return error_usage(e, "query '%s': %s has no test '%s'; it has %s", q->text, f->op->name, q->test, names);
}

bool plan_make(plan *p, const char *const *queries, size_t query_count, case_tier tier, error *e)
{
    static const char *const everything[] = { "*" };
    size_t count;
    const ts_operator *const *all = operators_all(&count);
    memset(p, 0, sizeof *p);
    if (query_count == 0) {
        queries = everything;
        query_count = 1;
    }
    query *parsed = calloc(query_count, sizeof *parsed);
    struct {
        bool operator_known, test_known, fits;
        const case_file *file;
        error refused;
    } *seen = calloc(query_count, sizeof *seen);
    quick_cases chosen = { .text = NULL };
    point *points = query_count > 1 ? calloc(query_count, sizeof *points) : NULL;
    p->files = calloc(count ? count : 1, sizeof *p->files);
    bool fine = parsed && seen && p->files && (points || query_count == 1) ? true : error_set(e, "out of memory");
    for (size_t i = 0; fine && i < query_count; ++i)
        fine = query_parse(queries[i], &parsed[i], e);
    fine = fine && quick_read(&chosen, e) && digest_suite(p, &chosen, e);
    for (size_t i = 0; fine && i < count; ++i) {
        bool wanted = false;
        for (size_t k = 0; k < query_count; ++k)
            if (query_match(parsed[k].op, all[i]->name))
                wanted = seen[k].operator_known = true;
        if (!wanted)
            continue;
        char path[PATH_MAX];
        if (!casefile_path(all[i], path, sizeof path, e)) {
            fine = false;
            break;
        }
        case_file *f = casefile_load(path, e);
        if (!f) {
            fine = false;
            break;
        }
        p->files[p->file_count++] = f;
        if (f->op != all[i]) {
            fine = error_usage(e, "%s declares operator %s; expected %s, whose file it is", path, f->op->name,
                               all[i]->name);
            break;
        }
        for (size_t t = 0; fine && t < f->test_count; ++t) {
            bool in_quick = tier == TIER_QUICK && f->tests[t].tier != TIER_QUICK && quick_has(&chosen, &f->tests[t]);
            fine = !in_quick || choose_cases(&f->tests[t], &chosen, parsed, query_count, e);
            fine = fine && (!points || describe_points(&f->tests[t], parsed, points, query_count, e));
            for (size_t k = 0; fine && k < query_count; ++k) {
                if (!query_match(parsed[k].op, f->op->name))
                    continue;
                seen[k].file = f;
                if (!query_match(parsed[k].test, f->tests[t].name))
                    continue;
                seen[k].test_known = true;
                if (f->tests[t].tier > tier && !in_quick && !parsed[k].names_test)
                    continue;
                error refused;
                const char *predicate = points && parsed[k].exact ? points[k].text : parsed[k].predicate;
                fit result = select_test(p, &f->tests[t], &parsed[k], predicate, &refused);
                if (result == FITS)
                    seen[k].fits = true;
                else if (!seen[k].refused.text[0] || f->tests[t].kind != CASE_EXAMPLES)
                    seen[k].refused = refused; /* the examples have few axes: what others say helps more */
                if (result == BROKEN) {
                    *e = refused;
                    fine = false;
                }
            }
        }
    }
    for (size_t k = 0; fine && k < query_count; ++k) {
        if (!seen[k].operator_known)
            fine = unknown_operator(&parsed[k], e);
        else if (!seen[k].test_known)
            fine = unknown_test(seen[k].file, &parsed[k], e);
        else if (!seen[k].fits && seen[k].refused.text[0]) {
            *e = seen[k].refused;
            fine = false;
        }
    }
    free(parsed);
    free(seen);
    free(points);
    quick_free(&chosen);
    if (!fine)
        plan_free(p);
    return fine;
}

void plan_free(plan *p)
{
    for (size_t i = 0; i < p->file_count; ++i)
        casefile_free(p->files[i]);
    free(p->files);
    free(p->items);
    memset(p, 0, sizeof *p);
}
