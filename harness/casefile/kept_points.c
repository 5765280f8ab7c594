/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/kept_points.h"

#include "harness/base/number.h"
#include "harness/casefile/kept_file.h"

#include <stdio.h>

/* The content: of each drawn test that tier quick has, in the order of the case file, the size of its points as bytes,
   and these (space_write_drawn). */

static kept_file file_of(const case_file *f, const char *sources)
{
    char what[sizeof TOUCHSTONE_DRAWING_DIGEST + 64];
    const int length = snprintf(what, sizeof what, "%s\n%s\n", TOUCHSTONE_DRAWING_DIGEST, sources);
    return (kept_file){ "TSDRAWN1", f->op->name, "points", kept_key_of(what, (size_t)length) };
}

static bool has_points(const case_test *t)
{
    return t->draw && t->draws[TIER_QUICK] > 0;
}

static bool take_points(void *context, const void *bytes, size_t size)
{
    const case_file *f = context;
    size_t at = 0;
    uint64_t length;
    for (size_t i = 0; i < f->test_count; ++i) {
        if (!has_points(&f->tests[i]))
            continue;
        if (!number_read(bytes, size, &at, &length) || length > size - at ||
            !space_read_drawn(f->tests[i].space, (const unsigned char *)bytes + at, (size_t)length))
            return false;
        at += (size_t)length;
    }
    return at == size;
}

void kept_points_load(case_file *f, const char *sources)
{
    const kept_file kept = file_of(f, sources);
    kept_file_load(&kept, take_points, f);
}

bool kept_points_write(case_file *f, const char *sources, const char *folder, error *e)
{
    const kept_file kept = file_of(f, sources);
    text content = { .data = NULL };
    bool fine = true;
    for (size_t i = 0; fine && i < f->test_count; ++i) {
        text points = { .data = NULL };
        const case_test *t = &f->tests[i];
        if (!has_points(t))
            continue;
        if ((fine = space_write_drawn(t->space, t->draws[TIER_QUICK], &points, e))) {
            number_add(&content, points.length);
            text_bytes(&content, points.data, points.length);
        }
        text_free(&points);
    }
    fine = fine && (content.length == 0 || kept_file_write(&kept, &content, folder, e));
    text_free(&content);
    return fine;
}
