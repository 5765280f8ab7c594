/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every whole number of a descriptor at its ends: each field of a legal descriptor of each operator, computed or
 * checked only, is 0, 1, 2^31, 2^32 - 1, 2^63 and 2^64 - 1, as far as its type holds these; alone, and in pairs.
 * Whatever the numbers, the checker ends, names clauses of the operator, and says of buffers what numbers without end
 * say. In a sanitized build, no arithmetic overflows on the way.
 *
 * All pairs take minutes: scripts/extremes.sh tries them. Here it is a part of them, drawn by a fixed seed.
 * TOUCHSTONE_EXTREMES=K/N tries all of every Nth operator, from number K on.
 */
#include "cases/shipped.h"
#include "harness/check/check.h"
#include "harness/check/check_output.h"
#include "harness/model/fill.h"
#include "harness/testing/big_number.h"
#include "harness/testing/legal_call.h"
#include "harness/testing/sanitizer.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#if UNDER_SANITIZER
void __sanitizer_set_death_callback(void (*callback)(void));
#endif

#define MOST_FIELDS 600
#define SAMPLE_PAIRS 300 /* of an operator */

/* For which changes of one field the rest is tried: what is said beside the verdict, and what would be legal instead,
   which the checker searches for long. */
typedef struct share {
    unsigned said, suggested; /* each of that number */
} share;
static const share sample = { 24, 97 }, whole = { 1, 5 };

/* ---- fields ------------------------------------------------------------------------------------------------------ */

typedef enum field_kind { SIZE, STRIDE, RANK, TYPE, FLAGS, BYTES, ALIGNMENT, VALUE, COUNT, NESTED } field_kind;

typedef struct field {
    field_kind kind;
    unsigned k;     /* tensor or attribute */
    unsigned i;     /* dimension, or element; of NESTED, the 32-bit word */
    unsigned bytes; /* of its type */
} field;

typedef struct fields {
    unsigned count;
    field list[MOST_FIELDS];
} fields;

static const uint64_t numbers[] = {
    0, 1, UINT64_C(1) << 31, UINT32_MAX, UINT64_C(1) << 63, UINT64_MAX,
};
#define NUMBERS (sizeof numbers / sizeof numbers[0])

/* Does the field's type hold the number? A signed one holds its bits. */
static bool holds(const field *f, uint64_t number)
{
    return f->bytes == 8 || number >> 8 * f->bytes == 0;
}

static void add(fields *all, field_kind kind, unsigned k, unsigned i, size_t bytes)
{
    assert_true(all->count < MOST_FIELDS);
    all->list[all->count++] = (field){ kind, k, i, (unsigned)bytes };
}

static void add_tensor(fields *all, const ts_descriptor *d, unsigned k)
{
    const ts_tensor *t = &d->tensors[k];
    if (!operator_has_tensor(d, k))
        return;
    for (uint32_t i = 0; i < t->rank; ++i) {
        add(all, SIZE, k, i, sizeof t->sizes[i]);
        add(all, STRIDE, k, i, sizeof t->strides[i]);
    }
    add(all, RANK, k, 0, sizeof t->rank);
    add(all, TYPE, k, 0, sizeof t->dtype);
    add(all, FLAGS, k, 0, sizeof t->flags);
    add(all, BYTES, k, 0, sizeof t->total_bytes);
    add(all, ALIGNMENT, k, 0, sizeof t->alignment);
}

static void add_attr(fields *all, const ts_descriptor *d, unsigned k)
{
    const ts_attr_decl *a = &d->op->attrs[k];
    const size_t bytes = operator_attr_range(a->type).bytes;
    const unsigned stored = operator_attr_count(d, k) < a->capacity ? operator_attr_count(d, k) : a->capacity;
    const bool nested = a->type == TS_ATTR_OPERATOR;
    for (unsigned i = 0; i < stored && !nested; ++i)
        add(all, VALUE, k, i, bytes);
    for (unsigned i = 0; nested && i < stored * bytes / sizeof(uint32_t); ++i)
        add(all, NESTED, k, i, sizeof(uint32_t));
    if (a->count == TS_ARRAY)
        add(all, COUNT, k, 0, sizeof(uint32_t));
}

static void set_field(ts_descriptor *d, const field *f, uint64_t number)
{
    ts_tensor *t = &d->tensors[f->k < TS_MAX_TENSORS ? f->k : 0];
    const ts_attr_decl *a = f->kind >= VALUE ? &d->op->attrs[f->k] : NULL;
    switch (f->kind) {
    case SIZE: t->sizes[f->i] = number; break;
    case STRIDE:
        t->strides[f->i] = number;
        t->given |= TS_GIVEN_STRIDES;
        break;
    case RANK: t->rank = (uint32_t)number; break;
    case TYPE: t->dtype = (uint32_t)number; break;
    case FLAGS: t->flags = (uint32_t)number; break;
    case BYTES: t->total_bytes = number; break;
    case ALIGNMENT: t->alignment = (uint32_t)number; break;
    case COUNT: memcpy(d->attrs + a->count_offset, &(uint32_t){ (uint32_t)number }, sizeof(uint32_t)); break;
    case VALUE:
    case NESTED: memcpy(d->attrs + a->offset + f->i * f->bytes, &number, f->bytes); break; /* little-endian */
    }
    if (f->kind >= VALUE)
        d->attrs_given |= UINT32_C(1) << f->k;
    if (f->kind <= RANK && !(t->given & TS_GIVEN_STRIDES))
        tensor_pack(t); /* as whoever reads a descriptor does */
}

static const char *field_text(const ts_descriptor *d, const field *f, char *buf, size_t size)
{
    static const char *const of_tensor[] = { "size",  "stride", "dimension count", "type",
                                             "flags", "bytes",  "alignment" };
    if (f->kind < VALUE)
        snprintf(buf, size, "%s %u of %s", of_tensor[f->kind], f->i, d->op->tensors[f->k].name);
    else
        snprintf(buf, size, "%s %u of %s",
                 f->kind == COUNT    ? "count"
                 : f->kind == NESTED ? "word"
                                     : "value",
                 f->i, d->op->attrs[f->k].name);
    return buf;
}

/* ---- what must hold ---------------------------------------------------------------------------------------------- */

/* What is being tried: a legal descriptor and up to two changes of it. */
static struct {
    const ts_operator *op;
    ts_descriptor d;
    const field *changed[2];
    uint64_t to[2];
} now;

static void say_now(void)
{
    char name[128];
    if (now.op)
        fprintf(stderr, "%s", now.op->name);
    for (unsigned i = 0; now.op && i < 2 && now.changed[i]; ++i)
        fprintf(stderr, ", %s = %" PRIu64, field_text(&now.d, now.changed[i], name, sizeof name), now.to[i]);
    fprintf(stderr, "\n");
}

#define REQUIRE(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            say_now();                                                                                                 \
            fail_msg("%s does not hold", #condition);                                                                  \
        }                                                                                                              \
    } while (0)

/* The elements of a tensor, those from its first to its last address, and the bytes that it needs. */
static void measure(const ts_tensor *t, const ts_dtype_info *type, big_number *elements, big_number *span,
                    big_number *bytes)
{
    *elements = *span = big_of(1);
    for (uint32_t i = 0; i < t->rank; ++i) {
        *elements = big_mul64(*elements, t->sizes[i]);
        *span = big_add(*span, big_mul64(big_of(t->sizes[i] - 1), t->strides[i]));
    }
    if (!(t->given & TS_GIVEN_STRIDES)) /* packed */
        *span = *elements;
    *bytes = *span;
    if (type->bits >= 8)
        *bytes = big_mul64(*bytes, type->bits / 8);
    else
        *bytes = big_half(big_add64(*bytes, 1));
    while (bytes->digits[0] % 4 != 0)
        *bytes = big_add64(*bytes, 1);
}

static bool reports(const ts_report *report, const char *clause, unsigned tensor)
{
    for (unsigned i = 0; i < report->count; ++i)
        if (report->items[i].tensor == (int)tensor && strcmp(report->items[i].clause, clause) == 0)
            return true;
    return false;
}

/* The clauses about elements and bytes, of the tensors for which they have a meaning. */
static void require_buffers(const ts_descriptor *d, const ts_report *report)
{
    const bool dml = strncmp(d->op->name, "dml.", 4) == 0;
    const bool legal = !operator_graver(report->worst, TS_RESULT_WARNING);
    for (unsigned k = 0; k < d->op->tensor_count; ++k) {
        const ts_tensor *t = &d->tensors[k];
        const ts_dtype_info *type = tensor_dtype(t->dtype);
        big_number elements, span, bytes;
        bool empty = false;
        for (uint32_t i = 0; i < t->rank && i < TS_MAX_DIMS; ++i)
            empty = empty || t->sizes[i] == 0;
        if (!operator_has_tensor(d, k) || t->rank < 1 || t->rank > TS_MAX_DIMS || empty || !type || report->dropped)
            continue;
        measure(t, type, &elements, &span, &bytes);
        const bool many = big_compare(elements, big_of(UINT32_MAX)) > 0;
        const bool wide = big_compare(span, big_of(UINT32_MAX)) > 0;
        const bool less = big_compare(bytes, big_of(t->total_bytes)) > 0, endless = !big_is(bytes, big_low(bytes));
        if (legal) { /* OpenVINO counts the bytes of the elements alone, DirectML four at a time */
            REQUIRE(!dml || !(many || wide || less));
            REQUIRE(dml || big_compare(bytes, big_add64(big_of(t->total_bytes), 3)) <= 0);
        } else if (dml) {
            REQUIRE(reports(report, "BUF-10", k) == (less && !endless)); /* which no number of bytes would mend */
            REQUIRE((reports(report, "BUF-11", k) || reports(report, "BUF-21", k)) == (many || wide));
        }
    }
}

/* A report names clauses that there are, and tensors and dimensions that there may be. */
static void require_report(const ts_descriptor *d, const ts_report *report)
{
    for (unsigned i = 0; i < report->count; ++i) {
        const ts_violation *v = &report->items[i];
        REQUIRE(operator_clause(d->op, v->clause));
        REQUIRE(v->text[0] != 0);
        REQUIRE(v->tensor >= -1 && v->tensor < (int)d->op->tensor_count);
        REQUIRE(v->axis >= -1);
    }
}

/* The helpers of tensors, on garbage. */
static void measure_tensors(const ts_descriptor *d)
{
    for (unsigned k = 0; k < d->op->tensor_count; ++k) {
        uint64_t number;
        tensor_element_count(&d->tensors[k], &number);
        tensor_min_bytes(&d->tensors[k], &number);
        tensor_overlaps(&d->tensors[k]);
    }
}

static void judge(ts_report *report)
{
    static ts_descriptor shaped;
    memset(report, 0, sizeof *report);
    operator_check(&now.d, report);
    require_report(&now.d, report);
    require_buffers(&now.d, report);
    shaped = now.d;
    now.op->shape(&shaped);
}

/* What is said beside a verdict: the record of the descriptor, and outputs that the rules give. */
static void say_more(void)
{
    static check_item item;
    bool stored = true;
    measure_tensors(&now.d);
    for (unsigned k = 0; k < now.op->tensor_count; ++k)
        stored = stored && now.d.tensors[k].rank <= TS_MAX_DIMS;
    if (stored)
        json_decref(descriptor_to_json(&now.d));
    if (stored && operators_declared(now.op)) {
        check_item_begin(&item, (check_place){ .line = 0 });
        item.d = now.d;
        for (unsigned k = 0; k < now.op->tensor_count; ++k)
            if (now.op->tensors[k].role == TS_OUTPUT && operator_has_tensor(&now.d, k))
                item.gaps.no_shape |= UINT32_C(1) << k;
        check_settle_outputs(&item);
    }
}

/* ---- the sweep --------------------------------------------------------------------------------------------------- */

static void change(const ts_descriptor *legal, const field *a, uint64_t to_a, const field *b, uint64_t to_b)
{
    now.d = *legal;
    now.changed[0] = a;
    now.to[0] = to_a;
    now.changed[1] = b;
    now.to[1] = to_b;
    set_field(&now.d, a, to_a);
    if (b)
        set_field(&now.d, b, to_b);
}

static void try_alone(const ts_descriptor *legal, const fields *all, const share *of)
{
    ts_report report;
    char legal_instead[1024];
    unsigned tried = 0;
    for (unsigned f = 0; f < all->count; ++f)
        for (unsigned n = 0; n < NUMBERS; ++n) {
            if (!holds(&all->list[f], numbers[n]))
                continue;
            change(legal, &all->list[f], numbers[n], NULL, 0);
            judge(&report);
            if (++tried % of->said == 0)
                say_more();
            if (tried % of->suggested == 0 && report.count > 0)
                check_suggest(&now.d, &report.items[tried % report.count], legal_instead, sizeof legal_instead);
        }
}

static void try_all_pairs(const ts_descriptor *legal, const fields *all)
{
    ts_report report;
    for (unsigned f = 0; f < all->count; ++f)
        for (unsigned g = f + 1; g < all->count; ++g)
            for (unsigned n = 0; n < NUMBERS * NUMBERS; ++n) {
                const uint64_t to_f = numbers[n / NUMBERS], to_g = numbers[n % NUMBERS];
                if (!holds(&all->list[f], to_f) || !holds(&all->list[g], to_g))
                    continue;
                change(legal, &all->list[f], to_f, &all->list[g], to_g);
                judge(&report);
            }
}

static void try_some_pairs(const ts_descriptor *legal, const fields *all, uint64_t key, unsigned pairs)
{
    ts_report report;
    for (unsigned i = 0; i < pairs; ++i) {
        const uint64_t drawn = fill_mix(key + i);
        const field *f = &all->list[(drawn & 0xFFFF) % all->count];
        const field *g = &all->list[(drawn >> 16 & 0xFFFF) % all->count];
        const uint64_t to_f = numbers[(drawn >> 32 & 0xFF) % NUMBERS], to_g = numbers[(drawn >> 40 & 0xFF) % NUMBERS];
        if (f == g || !holds(f, to_f) || !holds(g, to_g))
            continue;
        change(legal, f, to_f, g, to_g);
        judge(&report);
    }
}

/* A legal descriptor with as many fields as the operator's examples have, or its legal call. */
static void begin(const ts_operator *op, ts_descriptor *legal, fields *all)
{
    fields *other = calloc(1, sizeof *other);
    all->count = 0;
    assert_non_null(other);
    for (size_t i = 0; operator_has_cases(op) && i < file_count; ++i) {
        for (size_t k = 0; files[i]->op == op && k < files[i]->example_count; ++k) {
            const case_example *example = &files[i]->examples[k];
            other->count = 0;
            for (unsigned n = 0; n < op->tensor_count && !example->invalid; ++n)
                add_tensor(other, &example->descriptor, n);
            for (unsigned n = 0; n < op->attr_count && !example->invalid; ++n)
                add_attr(other, &example->descriptor, n);
            if (other->count <= all->count)
                continue;
            *all = *other;
            *legal = example->descriptor;
        }
    }
    free(other);
    if (!operators_declared(op)) {
        assert_true(all->count > 0);
        return;
    }
    all->count = 0;
    assert_true(legal_call(op, legal));
    for (unsigned n = 0; n < op->tensor_count; ++n)
        add_tensor(all, legal, n);
    for (unsigned n = 0; n < op->attr_count; ++n)
        add_attr(all, legal, n);
}

static void test_numbers_at_their_ends(void **state)
{
    const char *part = getenv("TOUCHSTONE_EXTREMES");
    unsigned first = 0, step = 0;
    const ts_operator *op;
    static ts_descriptor legal;
    static fields all;
    (void)state;
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ); /* so that a log shows how far it is */
    if (part && (sscanf(part, "%u/%u", &first, &step) != 2 || first < 1 || first > step))
        fail_msg("TOUCHSTONE_EXTREMES=%s: expected K/N", part);
    for (unsigned i = 0; (op = operators_known(i)); ++i) {
        if (part && i % step != first - 1)
            continue;
        ts_report report;
        begin(op, &legal, &all);
        now.op = op;
        now.d = legal;
        now.changed[0] = now.changed[1] = NULL;
        judge(&report);
        REQUIRE(!operator_graver(report.worst, TS_RESULT_WARNING));
        try_alone(&legal, &all, part ? &whole : &sample);
        if (part)
            try_all_pairs(&legal, &all);
        else
            try_some_pairs(&legal, &all, (uint64_t)i << 32, SAMPLE_PAIRS);
        if (part)
            print_message("%s: %u fields\n", op->name, all.count);
    }
    now.op = NULL;
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_numbers_at_their_ends) };
#if UNDER_SANITIZER
    __sanitizer_set_death_callback(say_now);
#endif
    return cmocka_run_group_tests(tests, load_all_shipped, free_all_shipped);
}
