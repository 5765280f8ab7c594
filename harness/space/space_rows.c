/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of a covering space as bytes: written, and read again with every row checked. */
#include "harness/base/number.h"
#include "harness/space/space_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- what the rows depend on ---- */

static void add_values(text *t, const int64_t *values, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        text_format(t, " %lld", (long long)values[i]);
}

void space_describe(const space *s, text *t)
{
    for (size_t i = 0; i < s->axis_count; ++i) {
        const space_axis *a = &s->axes[i];
        text_format(t, "axis %s %d %u %d", a->name, a->per, (unsigned)a->fixed, (int)a->position);
        add_values(t, a->values, a->count);
        for (size_t k = 0; k < a->symbol_count; ++k)
            text_format(t, " %s=%lld", a->symbols[k], (long long)a->symbol_values[k]);
        text_add(t, "\n");
    }
    for (int i = 0; i < s->predicate_count; ++i)
        text_format(t, "where %s\n", expr_text(s->predicates[i]));
}

/* ---- writing ---- */

void space_write_rows(const space *s, text *t)
{
    number_add(t, s->row_count);
    for (size_t i = 0; i < s->row_count; ++i) {
        const uint32_t *row = s->rows + i * ROW;
        for (unsigned d = 0; d <= s->blocks[row[0]].digit_count; ++d)
            number_add(t, row[d]);
    }
}

/* ---- reading ---- */

static uint32_t read_number(number_reader *r)
{
    const uint64_t number = number_next(r);
    r->broken = r->broken || number > UINT32_MAX;
    return (uint32_t)number;
}

/* Read one row, and check that it is a legal point. `c` has the row before it, if there is one. */
static bool read_row(const space *s, number_reader *r, space_cursor *c, bool is_first, uint32_t *row)
{
    row[0] = read_number(r);
    if (r->broken || row[0] >= s->block_count)
        return false;
    const space_block *b = &s->blocks[row[0]];
    const bool afresh = is_first || c->at.block != row[0];
    unsigned level = afresh ? 0 : b->digit_count + 1; /* from which the row differs from the one before */
    if (afresh)
        space_set_block(s, c, row[0]);
    for (unsigned d = 0; d < b->digit_count; ++d) {
        row[1 + d] = read_number(r);
        if (r->broken || row[1 + d] >= b->digits[d].radix)
            return false;
        if (!afresh && c->at.digit[d] == row[1 + d])
            continue;
        c->at.digit[d] = row[1 + d];
        space_set_digit(s, c, d);
        level = d + 1 < level ? d + 1 : level;
    }
    for (; level <= b->digit_count; ++level)
        if (!space_level_holds(s, c, level))
            return false;
    return true;
}

static int ascending(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Is no row there twice? */
static bool are_distinct(const uint32_t *rows, size_t count)
{
    uint64_t *hashes = malloc((count + 1) * sizeof *hashes);
    bool distinct = hashes != NULL;
    for (size_t i = 0; distinct && i < count; ++i) {
        hashes[i] = UINT64_C(14695981039346656037);
        for (size_t d = 0; d < ROW; ++d)
            hashes[i] = (hashes[i] ^ rows[i * ROW + d]) * UINT64_C(1099511628211);
    }
    if (distinct)
        qsort(hashes, count, sizeof *hashes, ascending);
    for (size_t i = 1; distinct && i < count; ++i)
        distinct = hashes[i] != hashes[i - 1];
    free(hashes);
    return distinct;
}

bool space_read_rows(space *s, const void *bytes, size_t size)
{
    number_reader r = { bytes, size, 0, false };
    const uint32_t count = read_number(&r);
    if (r.broken || count == 0 || count > size) /* a row takes at least a byte */
        return false;
    uint32_t *rows = calloc(count, ROW * sizeof *rows);
    space_cursor *c = calloc(1, sizeof *c);
    bool fine = rows && c;
    if (fine)
        c->space = s;
    for (uint32_t i = 0; fine && i < count; ++i)
        fine = read_row(s, &r, c, i == 0, rows + (size_t)i * ROW);
    fine = fine && r.at == size && are_distinct(rows, count);
    free(c);
    if (fine)
        space_take_rows(s, rows, count);
    else
        free(rows);
    return fine;
}
