/* SPDX-License-Identifier: Apache-2.0 */
/* Ids and queries against the suite's own spaces, and against a small covering one. What an id names has an id that
   names the same point. */
#include "fuzz/fuzz.h"
#include "harness/casefile/casefile.h"
#include "harness/casefile/query.h"
#include "reference/operators.h"

#define MOST_OPERATORS 16
#define MOST_TRIED     4 /* tests that one query's predicate is compiled for */

/* The case files, loaded once, and the test "own:covering": the suite's covering ones take too long to make. */
static case_file *files[MOST_OPERATORS];
static size_t file_count;
static space *covering;

static void make_covering(void)
{
    static const int64_t few[] = { 1, 2, 3 }, more[] = { 0, -1, 7, INT64_MAX };
    static const char *const names[] = { "f32", "i8" };
    static const int64_t types[] = { 1, 8 };
    const space_axis axes[] = {
        { .name = "rank", .per = SPACE_SCALAR, .fallback = 2, .values = few, .count = 3 },
        { .name = "dtype",
          .per = SPACE_SCALAR,
          .fallback = 1,
          .values = types,
          .count = 2,
          .symbols = names,
          .symbol_values = types,
          .symbol_count = 2 },
        { .name = "size", .per = 0, .fallback = 3, .values = few, .count = 3 },
        { .name = "offset", .per = 0, .values = more, .count = 4 },
        { .name = "key", .per = SPACE_FIXED, .fixed = 2, .always = true, .values = more, .count = 4 },
    };
    error e;
    bool ok = (covering = space_new("own", "covering")) != NULL;
    for (size_t i = 0; ok && i < sizeof axes / sizeof axes[0]; ++i)
        ok = space_add_axis(covering, &axes[i], &e);
    if (!ok || !space_where(covering, "each(offset < 7) or each(size == 2)", "fuzz", &e) ||
        !space_close(covering, &e) || !space_cover(covering, 2, &e))
        abort();
}

static void load_files(void)
{
    static const char folder[] = TOUCHSTONE_SOURCE_DIR "/cases";
    error e;
    char path[4096];
    size_t count;
    const ts_operator *const *all = operators_all(&count);
    if (setenv("TOUCHSTONE_CASES", folder, 1) != 0)
        abort();
    for (; file_count < count && file_count < MOST_OPERATORS; ++file_count) {
        files[file_count] = casefile_path(all[file_count], path, sizeof path, &e) ? casefile_load_of(path, all[file_count], &e) : NULL;
        if (!files[file_count])
            abort();
    }
}

static void try_id(const space *s, const char *parameters)
{
    space_cursor c;
    error e;
    uint64_t index, again;
    char id[2048];
    if (!space_parse_id(s, parameters, &index, &e))
        return;
    if (index >= space_points(s) || !space_start(&c, s, index, index + 1, NULL, NULL))
        abort();
    if (space_format_id(&c, id, sizeof id) >= (int)sizeof id)
        abort();
    size_t head = strlen(space_op(s)) + strlen(space_test(s)) + 2;
    if (!space_parse_id(s, id + head, &again, &e) || again != index)
        abort();
}

static void try_predicate(const space *s, const char *predicate)
{
    expr_scope scope = *space_scope(s);
    error e;
    scope.relaxed = true;
    expr_free(expr_compile(predicate, &scope, "query", &e));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    error e;
    query q;
    unsigned tried = 0;
    if (!covering) {
        load_files();
        make_covering();
    }
    char *text = fuzz_string(data, size);
    bool parsed = query_parse(text, &q, &e);
    free(text);
    if (parsed && q.exact && strcmp(q.op, "own") == 0)
        try_id(covering, q.parameters);
    for (size_t i = 0; parsed && i < file_count; ++i) {
        if (!query_match(q.op, files[i]->op->name))
            continue;
        for (size_t k = 0; k < files[i]->test_count && tried < MOST_TRIED; ++k) {
            if (!query_match(q.test, files[i]->tests[k].name))
                continue;
            if (q.exact && files[i]->tests[k].strength == 0)
                try_id(files[i]->tests[k].space, q.parameters);
            if (q.predicate[0])
                try_predicate(files[i]->tests[k].space, q.predicate);
            tried++;
        }
    }
    return 0;
}
