/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/shrink_state.h"

#include "harness/base/array.h"
#include "harness/casefile/case_sound.h"
#include "harness/run/shrink_convert.h"
#include "harness/run/shrink_move.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

/* ---- what was tried ---- */

void shrink_seen_clear(shrink_seen *seen)
{
    free(seen->slots);
    *seen = (shrink_seen){ .slots = NULL };
}

static void put(uint64_t *slots, size_t capacity, uint64_t hash)
{
    size_t i = hash & (capacity - 1);
    while (slots[i])
        i = (i + 1) & (capacity - 1);
    slots[i] = hash;
}

static bool grow(shrink_seen *seen)
{
    const size_t capacity = seen->capacity ? 2 * seen->capacity : 1024;
    uint64_t *slots = calloc(capacity, sizeof *slots);
    if (!slots)
        return false;
    for (size_t i = 0; i < seen->capacity; ++i)
        if (seen->slots[i])
            put(slots, capacity, seen->slots[i]);
    free(seen->slots);
    seen->slots = slots;
    seen->capacity = capacity;
    return true;
}

static uint64_t hash_of(const shrink_point *p)
{
    const space *s = p->test->space;
    uint64_t hash = XXH3_64bits(p->test->name, strlen(p->test->name));
    for (size_t i = 0; i < space_axis_count(s); ++i)
        if (p->values[i].length <= EXPR_MAX_LENGTH && !space_axis_at(s, i)->position)
            hash = XXH3_64bits_withSeed(p->values[i].v, p->values[i].length * sizeof p->values[i].v[0], hash);
    return hash | 1; /* 0 marks a free slot */
}

static bool has(const shrink_seen *seen, uint64_t hash)
{
    if (seen->capacity == 0)
        return false;
    for (size_t i = hash & (seen->capacity - 1); seen->slots[i]; i = (i + 1) & (seen->capacity - 1))
        if (seen->slots[i] == hash)
            return true;
    return false;
}

/* False if memory is out. */
static bool note(shrink_seen *seen, uint64_t hash)
{
    if (has(seen, hash))
        return true;
    if (2 * (seen->count + 1) > seen->capacity && !grow(seen))
        return false;
    put(seen->slots, seen->capacity, hash);
    seen->count++;
    return true;
}

bool shrink_candidates_executed(shrink_frame *f, const shrink_candidates *c, size_t i)
{
    return note(&f->seen, c->of[i].hash);
}

/* ---- points as text ---- */

bool shrink_point_read(const case_file *f, const char *line, shrink_point *p, error *e)
{
    const size_t length = strcspn(line, ":");
    for (size_t i = 0; i < f->test_count; ++i)
        if (line[length] && strlen(f->tests[i].name) == length && memcmp(f->tests[i].name, line, length) == 0) {
            p->test = &f->tests[i];
            return space_parse_values(p->test->space, line + length + 1, p->values, e);
        }
    return error_set(e, "%s has no test of the case '%s'", f->path, line);
}

/* The sum, or the largest number. */
static uint64_t sum(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static void measure(const ts_descriptor *d, case_size *numbers, shrink_extent *extent)
{
    *numbers = (case_size){ .rank = d->tensors[0].rank };
    *extent = (shrink_extent){ 0 };
    for (unsigned t = 0; t < d->op->tensor_count; ++t) {
        uint64_t count = 0;
        if (!(d->tensors[t].given & TS_GIVEN_TENSOR))
            continue;
        if (d->tensors[t].rank <= TS_MAX_DIMS && !tensor_element_count(&d->tensors[t], &count))
            count = UINT64_MAX;
        numbers->elements = sum(numbers->elements, count);
        if (d->op->tensors[t].role == TS_OUTPUT)
            extent->written = sum(extent->written, count);
        if (d->tensors[t].total_bytes > extent->bytes)
            extent->bytes = d->tensors[t].total_bytes;
    }
}

bool shrink_point_write(const shrink_frame *f, const shrink_point *p, char *line, size_t size, case_size *numbers,
                        shrink_extent *extent)
{
    space_cursor *c = malloc(sizeof *c); /* too large for the stack, as is the next */
    casebuild *b = malloc(sizeof *b);
    char id[CASE_ID_SIZE];
    case_size own;
    shrink_extent own_extent;
    error e;
    bool fine = c && b && space_place(c, p->test->space, p->values, 0, &e);
    if (fine) {
        casebuild_init(b, p->test, f->profile, f->level, NULL);
        fine = case_sound(b, c, f->most.bytes) && space_format_id(c, id, sizeof id) < (int)sizeof id;
    }
    if (fine) {
        const char *behind = strchr(id, ':');
        measure(&b->now.descriptor, &own, &own_extent);
        own.axes = shrink_named_axes(p->test->space, c->values);
        fine = behind && own_extent.written <= f->most.written && snprintf(line, size, "%s", behind + 1) < (int)size;
        if (numbers)
            *numbers = own;
        if (extent)
            *extent = own_extent;
    }
    free(b);
    free(c);
    return fine;
}

/* ---- candidates ---- */

void shrink_candidates_clear(shrink_candidates *c)
{
    reduce_points_clear(&c->lines);
    shrink_seen_clear(&c->seen);
    free(c->of);
    *c = (shrink_candidates){ .of = NULL };
}

/* Candidates that are being added. */
typedef struct adding {
    shrink_frame *frame;
    const shrink_point *from;
    shrink_candidates *to;
    unsigned group;
    bool failed;
} adding;

/* Drawn tests take any number of dimensions; one that their axis does not have is no case of theirs, unless the test
   does not choose from the axis: then only its first value is left, and the others are drawn. */
static bool has_listed_lengths(const shrink_point *p)
{
    const space *s = p->test->space;
    for (size_t i = 0; i < space_axis_count(s); ++i) {
        const space_axis *axis = space_axis_at(s, i);
        bool listed = !space_is_length(s, i) || axis->count == 1;
        for (size_t k = 0; !listed && k < axis->count; ++k)
            listed = axis->values[k] == p->values[i].v[0];
        if (!listed)
            return false;
    }
    return true;
}

static bool add(adding *a, const shrink_point *p)
{
    shrink_candidates *to = a->to;
    const uint64_t hash = hash_of(p);
    char line[CASE_ID_SIZE];
    if (has(&a->frame->seen, hash) || has(&to->seen, hash))
        return true;
    const bool sound = has_listed_lengths(p) && shrink_point_write(a->frame, p, line, sizeof line, NULL, NULL);
    if (!note(sound ? &to->seen : &a->frame->seen, hash) ||
        !array_reserve(&to->of, &to->capacity, to->lines.count + 1, sizeof *to->of)) {
        a->failed = true;
        return false;
    }
    if (!sound)
        return true;
    to->of[to->lines.count] = (struct shrink_line){ a->group, hash };
    reduce_points_add(&to->lines, line);
    a->failed = to->lines.failed;
    return !a->failed && to->lines.count < to->most;
}

static bool added(const adding *a, error *e)
{
    return !a->failed || error_set(e, "out of memory");
}

bool shrink_candidates_add(shrink_frame *f, const shrink_point *p, shrink_candidates *to, error *e)
{
    adding a = { .frame = f, .to = to };
    add(&a, p);
    return added(&a, e);
}

bool shrink_candidates_convert(shrink_frame *f, const shrink_point *from, shrink_candidates *to, error *e)
{
    const case_file *file = from->test->file;
    adding a = { .frame = f, .to = to };
    space_cursor *c = malloc(sizeof *c);
    casebuild *b = malloc(sizeof *b);
    shrink_point p;
    error none;
    bool more = c && b && space_place(c, from->test->space, from->values, 0, &none);
    a.failed = !c || !b;
    if (more)
        casebuild_init(b, from->test, f->profile, f->level, NULL);
    more = more && case_sound(b, c, UINT64_MAX) && !b->now.invalid && !b->now.ambiguous;
    for (size_t i = 0; more && i < file->test_count; ++i) {
        p.test = &file->tests[i];
        if (!shrink_converts(from->test, p.test))
            continue;
        shrink_convert(&b->now, p.test, p.values);
        more = add(&a, &p);
    }
    free(c);
    free(b);
    return added(&a, e);
}

static bool take(void *context, const expr_value *values)
{
    adding *a = context;
    shrink_point p = { .test = a->from->test };
    memcpy(p.values, values, space_axis_count(p.test->space) * sizeof *values);
    return add(a, &p);
}

bool shrink_candidates_simpler(shrink_frame *f, const shrink_point *from, unsigned group, shrink_candidates *to,
                               error *e)
{
    adding a = { .frame = f, .from = from, .to = to };
    const unsigned groups = shrink_groups(from->test->space, from->values);
    bool more = to->most > 0;
    for (unsigned i = 0; more && i < groups; ++i) {
        a.group = (group + i) % groups;
        more = shrink_moves(from->test, from->values, a.group, take, &a);
    }
    return added(&a, e);
}
