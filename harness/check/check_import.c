/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/check/check_import.h"

#include "harness/base/text.h"
#include "harness/check/check_record.h"
#include "harness/check/check_tree.h"
#include "harness/check/js_literals.h"
#include "harness/check/json_scanner.h"
#include "harness/formats/import_webnn.h"
#include "harness/model/value.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of a file. `touchstone export` writes several tensors of CASE_VIEW_MOST_ELEMENTS numbers to one. */
#define MOST_BYTES ((size_t)1 << 30)

typedef struct importer {
    source_text *t;
    bool javascript;
    check_import_visit *visit;
    void *context;
    check_imported now;
    check_item item;
    error *e;
} importer;

/* ---- against the reference --------------------------------------------------------------------------------------- */

/* Compare the output with the expected values, in the order of both; undefined elements are not compared. */
static void compare(importer *x, const evaluation *v, const ts_tensor *output, const ts_tensor *expected)
{
    const size_t size = tensor_element_bytes(output->dtype);
    uint64_t coord[TS_MAX_DIMS] = { 0 }, different = 0, count = 0;
    char at[TS_MAX_DIMS * 22 + 4], first[320] = "", golden[96], wanted[96];
    tensor_element_count(output, &count);
    for (bool more = count > 0; more; more = tensor_next(output, coord)) {
        const unsigned char *is = tensor_at(output, coord), *should = tensor_at(expected, coord);
        const unsigned k = (unsigned)(output - v->descriptor.tensors);
        const ts_open open = evaluate_open(v, k, coord);
        if (open == TS_UNDEFINED || memcmp(is, should, size) == 0)
            continue;
        if (open == TS_SEVERAL && evaluate_allows(v, k, coord, value_bits(output->dtype, should)))
            continue;
        if (different++ == 0)
            snprintf(first, sizeof first, "element %.100s of the output is %s where the test expects %s",
                     value_format_list(coord, output->rank, at, sizeof at),
                     value_format_bits(output->dtype, value_bits(output->dtype, is), golden, sizeof golden),
                     value_format_bits(output->dtype, value_bits(output->dtype, should), wanted, sizeof wanted));
    }
    const bool judged = operator_judges(v->descriptor.op, operator_dtype(&v->descriptor));
    x->now.result = !judged                ? CHECK_IMPORT_OPEN
                    : different            ? CHECK_IMPORT_DIFFERS
                    : v->unspecified_count ? CHECK_IMPORT_OPEN
                                           : CHECK_IMPORT_AGREES;
    if (judged && different)
        snprintf(x->now.text, sizeof x->now.text, "%s; %" PRIu64 " of %" PRIu64 " elements differ", first, different,
                 count);
}

static bool compare_expected(importer *x, evaluation *v)
{
    const ts_operator *op = v->descriptor.op;
    const ts_tensor *output = &v->descriptor.tensors[op->tensor_count - 1];
    json_t *data = json_object_get(json_array_get(json_object_get(x->now.record, "outputs"), 0), "data");
    ts_tensor expected;
    tensor_init(&expected, output->dtype, output->rank, output->sizes);
    expected.data = calloc(1, (size_t)expected.total_bytes + 1);
    bool fine = expected.data || error_set(x->e, "out of memory");
    fine = fine && (json_array_size(data) == 0 ||
                    descriptor_data_from_json(&expected, "graph.expectedOutputs: data", data, x->e));
    if (fine)
        compare(x, v, output, &expected);
    free(expected.data);
    return fine;
}

/* The clauses that the descriptor breaks, which forbid it or leave open whether it is legal. */
static void say_broken(importer *x, const ts_report *report, evaluate_status status)
{
    x->now.result = status == EVALUATE_OPEN ? CHECK_IMPORT_OPEN : CHECK_IMPORT_ILLEGAL;
    for (unsigned i = 0; i < report->count; ++i) {
        const size_t used = strlen(x->now.text);
        if (evaluate_names_clause(report, i))
            snprintf(x->now.text + used, sizeof x->now.text - used, "%s%s %s", used ? "; " : "",
                     report->items[i].clause, report->items[i].text);
    }
}

static bool judge(importer *x)
{
    const check_options o = { .level = 0 };
    evaluation v;
    check_item_begin(&x->item, x->now.place);
    if (!check_record_read(x->now.record, &o, &x->item, x->e) || !evaluate_begin(&v, &x->item.d, &x->item.found, x->e))
        return false;
    bool fine = true;
    if (v.status != EVALUATE_OK)
        say_broken(x, &v.report, v.status);
    else
        fine = evaluate_fill(&v, x->item.inputs, x->e) && evaluate_run(&v, x->e) && compare_expected(x, &v);
    evaluate_end(&v);
    return fine;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

/* The error of an expression of JavaScript that is not read (js_literals.h), anywhere in a test; NULL: there is none.
 */
static const char *unreadable(const json_t *json)
{
    const char *string = json_string_value(json), *found = NULL, *key;
    json_t *value;
    size_t i;
    if (string)
        return string[0] == JS_LITERALS_UNREADABLE ? string + 1 : NULL;
    json_array_foreach(json, i, value)
    {
        if ((found = unreadable(value)))
            return found;
    }
    json_object_foreach((json_t *)(uintptr_t)json, key, value)
    {
        if ((found = unreadable(value)))
            return found;
    }
    return NULL;
}

/* The test cannot be read: the error becomes its text. False: the error is another one, such as missing memory. */
static bool leave_out(importer *x, const json_t *json, check_span span)
{
    const char *why = json ? unreadable(json) : NULL;
    const bool placed = why || !json; /* the message has a place of its own */
    if (x->e->status != EXIT_BAD_USAGE)
        return false;
    x->now.result = CHECK_IMPORT_UNREADABLE;
    x->now.place = source_text_place(x->t, span.begin);
    x->now.record = NULL;
    if (placed)
        snprintf(x->now.text, sizeof x->now.text, "%s", why ? why : x->e->text);
    else
        snprintf(x->now.text, sizeof x->now.text, "%s:%zu:%zu: %s", x->t->name, x->now.place.line, x->now.place.column,
                 x->e->text);
    return true;
}

static bool read_test(importer *x, check_span span)
{
    import_test test = { .record = NULL };
    source_text_advance(x->t, span.begin);
    x->now.place = source_text_place(x->t, span.begin);
    x->now.text[0] = 0;
    x->now.name = "";
    json_t *json = check_tree(x->t, span, x->e);
    bool fine = json && import_webnn(json, &test, x->e);
    if (json)
        x->now.name = test.name[0] == JS_LITERALS_UNREADABLE ? "" : test.name;
    x->now.record = test.record;
    if (json && !fine && test.why[0]) {
        x->now.result = CHECK_IMPORT_LEFT_OUT;
        snprintf(x->now.text, sizeof x->now.text, "%s", test.why);
        fine = true;
    } else if (fine) {
        fine = judge(x);
    }
    fine = (fine || leave_out(x, json, span)) && x->visit(x->context, &x->now, x->e);
    json_decref(test.record);
    json_decref(json);
    return fine;
}

static bool no_test(importer *x, check_span part)
{
    return source_text_error(x->e, x->t, part.begin,
                             "no test of WebNN: expected { \"name\": ..., \"graph\": ... } or { \"tests\": [...] }");
}

/* Read a test, or what contains tests. The scanner bounds the depth. Lists of JavaScript that are no tests are passed
   over, and so are holes of its lists. */
static bool read_part(importer *x, check_span part, bool element)
{
    check_span inner;
    size_t at = 0;
    bool fine = true;
    if (x->t->bytes[part.begin] == '[') {
        while (fine && json_scanner_element(x->t, part, &at, &inner))
            fine = read_part(x, inner, true);
        return fine;
    }
    if (json_scanner_find(x->t, part, "tests", &inner))
        return x->t->bytes[inner.begin] == '['
                   ? read_part(x, inner, false)
                   : source_text_error(x->e, x->t, inner.begin, "\"tests\" is no list of tests");
    if (json_scanner_find(x->t, part, "graph", &inner))
        return read_test(x, part);
    if (x->javascript)
        return true;
    no_test(x, part);
    x->now.name = "";
    return element && leave_out(x, NULL, part) && x->visit(x->context, &x->now, x->e);
}

bool check_import_text(source_text *t, bool javascript, check_import_visit *visit, void *context, error *e)
{
    check_span root;
    if ((javascript && !js_literals_to_json(t, e)) || !json_scanner_check(t, &root, e))
        return false;
    importer *x = calloc(1, sizeof *x);
    if (!x)
        return error_set(e, "out of memory");
    *x = (importer){ .t = t, .javascript = javascript, .visit = visit, .context = context, .e = e };
    x->now.file = x->item.file = t->name;
    source_text_rewind(t);
    bool fine = read_part(x, root, false);
    free(x);
    return fine;
}

bool check_import_named(const char *path)
{
    return strcmp(path, "-") == 0 || text_ends_in(path, ".json") || text_ends_in(path, ".js");
}

bool check_import_file(const char *path, check_import_visit *visit, void *context, error *e)
{
    source_text t;
    if (!check_import_named(path))
        return error_usage(e, "%s: expected a name that ends in .json or .js, or - for JSON on standard input", path);
    if (!source_text_read_within(&t, path, MOST_BYTES, e))
        return false;
    const bool fine = check_import_text(&t, text_ends_in(path, ".js"), visit, context, e);
    source_text_free(&t);
    return fine;
}
