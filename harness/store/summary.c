/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/store/summary.h"

#include "harness/base/array.h"
#include "harness/base/platform.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const summary_fact summary_facts[] = {
    { STORE_BACKEND, "Backend" },
    { STORE_BACKEND_VERSION, "Version" },
    { STORE_BACKEND_VENDOR, "Vendor" },
    { STORE_BACKEND_DRIVER, "Driver" },
    { STORE_BACKEND_DEVICE, "Device" },
    { STORE_BACKEND_OPTIONS, "Options" },
    { STORE_LEVEL, "Feature level" },
    { STORE_PROFILE, "Profile" },
    { STORE_TIER, "Tier" },
    { STORE_QUERY, "Query" },
    { STORE_COMMAND, "Command" },
    { STORE_MACHINE, "Machine" },
    { STORE_SYSTEM, "System" },
    { STORE_WORKERS, "Workers" },
    { STORE_STARTED, "Started" },
    { STORE_FINISHED, "Finished" },
    { STORE_SECONDS, "Seconds" },
    { STORE_TOUCHSTONE, "Touchstone" },
    { STORE_COMPILER, "Compiler" },
    { STORE_SUITE_DIGEST, "Suite digest" },
    { STORE_DIGEST, "Run digest" },
    { STORE_REPEAT, "Executions" },
    { STORE_SHUFFLE, "Shuffled pass, seed" },
    { STORE_SEED, "Drawn cases, seed" },
    { STORE_DECISIONS, "Decisions" },
    { STORE_LOOKS, "Second looks" },
};
const size_t summary_fact_count = sizeof summary_facts / sizeof *summary_facts;

typedef struct reader {
    summary *m;
    size_t test_capacity, operator_capacity, tally_capacity;
    bool failed; /* memory is out */
} reader;

static char *copied(reader *r, const char *s)
{
    char *copy = strdup(s ? s : "");
    if (!copy)
        r->failed = true;
    return copy;
}

static size_t find_operator(reader *r, const char *name)
{
    summary *m = r->m;
    for (size_t i = 0; i < m->operator_count; ++i)
        if (strcmp(m->operators[i].name, name) == 0)
            return i;
    if (!array_reserve(&m->operators, &r->operator_capacity, m->operator_count + 1, sizeof *m->operators)) {
        r->failed = true;
        return 0;
    }
    m->operators[m->operator_count] = (summary_operator){ .name = name };
    return m->operator_count++;
}

static bool read_test(void *context, const store_test *t)
{
    reader *r = context;
    summary *m = r->m;
    if (!array_reserve(&m->tests, &r->test_capacity, m->test_count + 1, sizeof *m->tests))
        return !(r->failed = true);
    summary_test *own = &m->tests[m->test_count++];
    *own = (summary_test){ .id = t->id,
                           .name = copied(r, t->name),
                           .op = copied(r, t->op),
                           .test = copied(r, t->test),
                           .tier = copied(r, t->tier),
                           .title = copied(r, t->title),
                           .points = t->points };
    own->counts.planned = t->planned;
    if (!r->failed)
        own->op_index = find_operator(r, own->op);
    return !r->failed;
}

size_t summary_find_test(const summary *m, int64_t id)
{
    /* Ids are 1, 2, 3..., except in damaged or merged runs. */
    if (id >= 1 && (uint64_t)id <= m->test_count && m->tests[id - 1].id == id)
        return (size_t)id - 1;
    for (size_t i = 0; i < m->test_count; ++i)
        if (m->tests[i].id == id)
            return i;
    return m->test_count;
}

static bool read_tally(void *context, const store_tally *t)
{
    reader *r = context;
    summary *m = r->m;
    size_t test = summary_find_test(m, t->test);
    if (test == m->test_count || t->verdict == VERDICT_NONE)
        return true;
    if (!array_reserve(&m->tallies, &r->tally_capacity, m->tally_count + 1, sizeof *m->tallies))
        return !(r->failed = true);
    m->tallies[m->tally_count++] =
        (summary_tally){ test, copied(r, t->dtype), copied(r, t->level), t->verdict, t->cases };
    m->tests[test].counts.cases[t->verdict] += t->cases;
    return !r->failed;
}

/* Derive the sums from the counts of the verdicts. */
static void conclude(summary_counts *c)
{
    uint64_t counted = 0;
    for (int v = VERDICT_PASS; v < VERDICT_COUNT; ++v) {
        counted += c->cases[v];
        if (verdict_fails((verdict)v))
            c->failed += c->cases[v];
    }
    c->ran = counted - c->cases[VERDICT_UNSUPPORTED];
    c->cases[VERDICT_NONE] = c->planned > counted ? c->planned - counted : 0;
}

static void add_counts(summary_counts *to, const summary_counts *c)
{
    to->planned += c->planned;
    to->ran += c->ran;
    to->failed += c->failed;
    for (int v = 0; v < VERDICT_COUNT; ++v)
        to->cases[v] += c->cases[v];
}

/* Read the facts of the scope, and join the counts of the verdicts to them. */
static bool read_scope(summary *m, store *s, error *e)
{
    if (!scope_facts_read(&m->facts, store_get(s, STORE_SCOPE)))
        return error_set(e, "what the run says about its scope cannot be read");
    bool fine = scope_begin(&m->scope, &m->facts);
    for (size_t i = 0; fine && i < m->test_count; ++i)
        fine = scope_add_operator(&m->scope, m->tests[i].op, m->tests[i].counts.planned > 0);
    for (size_t i = 0; fine && i < m->tally_count; ++i)
        fine = scope_add_cases(&m->scope, m->tests[m->tallies[i].test].op, m->tallies[i].dtype, m->tallies[i].verdict,
                               m->tallies[i].cases);
    scope_end(&m->scope);
    m->scope.planned = m->total.planned;
    m->scope.pending = m->total.cases[VERDICT_NONE] > 0;
    m->scope.session = m->share;
    return fine || error_set(e, "out of memory");
}

const char *summary_state(store *s)
{
    long pid = 0;
    const char *state = store_get(s, STORE_STATE);
    if (!state || strcmp(state, "running") != 0)
        return state;
    return platform_presence_of(store_get(s, STORE_PROCESS), &pid) == PLATFORM_GONE ? "interrupted" : "running";
}

bool summary_read(summary *m, store *s, error *e)
{
    *m = (summary){ 0 };
    reader r = { .m = m };
    bool ok = store_each_test(s, read_test, &r, e) && store_each_tally(s, read_tally, &r, e);
    if (ok) {
        m->state = copied(&r, summary_state(s));
        m->query = copied(&r, store_get(s, STORE_QUERY));
        const char *tier = store_get(s, STORE_TIER);
        m->quick = tier && strcmp(tier, "quick") == 0;
        m->share = coverage_of_run(&m->coverage, s);
        if (m->share)
            coverage_describe(&m->coverage, m->covered, sizeof m->covered);
    }
    if (ok && r.failed)
        return error_set(e, "out of memory");
    if (!ok)
        return false;
    m->validation = summary_is_validation(m);
    for (size_t i = 0; i < m->test_count; ++i) {
        summary_counts *c = &m->tests[i].counts;
        conclude(c);
        add_counts(&m->operators[m->tests[i].op_index].counts, c);
        add_counts(&m->total, c);
    }
    return read_scope(m, s, e);
}

void summary_free(summary *m)
{
    for (size_t i = 0; i < m->test_count; ++i) {
        summary_test *t = &m->tests[i];
        free(t->name);
        free(t->op);
        free(t->test);
        free(t->tier);
        free(t->title);
    }
    for (size_t i = 0; i < m->tally_count; ++i) {
        free(m->tallies[i].dtype);
        free(m->tallies[i].level);
    }
    scope_free(&m->scope);
    scope_facts_free(&m->facts);
    free(m->tests);
    free(m->operators);
    free(m->tallies);
    free(m->state);
    free(m->query);
    *m = (summary){ 0 };
}

bool summary_is_unfinished(const summary *m)
{
    return m->total.cases[VERDICT_NONE] > 0 || (m->state && m->state[0] && strcmp(m->state, "complete") != 0);
}

summary_outcome summary_outcome_of(const summary *m)
{
    if (m->total.failed > 0)
        return OUTCOME_FAILURES;
    if (m->total.ran == 0)
        return OUTCOME_NOTHING;
    if (summary_is_unfinished(m))
        return OUTCOME_INCOMPLETE;
    if (m->scope.judged == 0)
        return OUTCOME_NOTHING;
    if (m->total.cases[VERDICT_UNSUPPORTED] > 0)
        return OUTCOME_INCOMPLETE;
    if (scope_facts_absent(&m->facts) > 0)
        return OUTCOME_ABSENT;
    if (m->validation)
        return OUTCOME_VALIDATED;
    return scope_is_part(&m->scope) ? OUTCOME_PARTLY : OUTCOME_CONFORMANT;
}

exit_status summary_status(const summary *m)
{
    switch (summary_outcome_of(m)) {
    case OUTCOME_FAILURES: return EXIT_FAILURES;
    case OUTCOME_CONFORMANT:
    case OUTCOME_PARTLY:
    case OUTCOME_VALIDATED: return EXIT_CONFORMANT;
    default: return EXIT_NOT_RUN;
    }
}

/* "3.1 M of 5.0 M"; in full where different numbers have the same short form. */
#define SHORT_FROM 1000000 /* cases; smaller numbers are written out */

static void add_share(text *t, uint64_t part, uint64_t whole)
{
    text a = { 0 }, b = { 0 };
    text_short_count(&a, part);
    text_short_count(&b, whole);
    if (whole < SHORT_FROM || (part != whole && a.data && b.data && strcmp(a.data, b.data) == 0)) {
        a.length = b.length = 0;
        text_count(&a, part);
        text_count(&b, whole);
    }
    if (a.data && b.data)
        text_format(t, "%s of %s", a.data, b.data);
    t->failed |= a.failed || b.failed;
    text_free(&a);
    text_free(&b);
}

/* Did any case run whose specification has feature levels? */
static bool has_levels(const summary *m)
{
    for (size_t i = 0; i < m->tally_count; ++i) {
        const char *level = m->tallies[i].level;
        if (level && level[0] && strcmp(level, "none") != 0)
            return true;
    }
    return m->tally_count == 0; /* unknown */
}

/* "22 of 110 cases": those that failed, of those that were judged. */
static void add_failed(const summary *m, text *t)
{
    text_count(t, m->total.failed);
    text_add(t, " of ");
    text_count(t, m->scope.judged);
    text_format(t, " case%s", m->scope.judged == 1 ? "" : "s");
}

static void add_failures(const summary *m, bool running, text *t)
{
    size_t failing = 0;
    for (size_t i = 0; i < m->operator_count; ++i)
        failing += m->operators[i].counts.failed > 0;
    text_add(t, "Not conformant: ");
    if (m->operator_count == 1) {
        scope_add_subject(&m->scope, t);
        text_add(t, ": ");
        add_failed(m, t);
        text_add(t, " failed");
    } else {
        text_format(t, "%zu of %zu operators %s failures (", failing, m->operator_count, failing == 1 ? "has" : "have");
        add_failed(m, t);
        text_add(t, ")");
    }
    if (m->total.cases[VERDICT_NONE] > 0)
        text_add(t, running ? " so far" : ", and the run is incomplete");
}

static void add_nothing(const summary *m, bool running, text *t)
{
    const uint64_t ran = m->total.ran;
    text_add(t, running && m->total.cases[VERDICT_NONE] ? "Running: nothing has been tested yet"
                : ran                                   ? "Not conformant: nothing was judged"
                                                        : "Nothing was tested");
    if (m->total.planned == 0)
        text_add(t, ": the run plans no case");
    else if (m->total.cases[VERDICT_UNSUPPORTED] == m->total.planned)
        text_add(t, ": the backend supports none of it");
    else if (ran)
        text_add(t, ", because every case that ran is open, by its specification or by a limit of Touchstone");
}

void summary_add_unsupported(const summary_counts *c, text *t)
{
    text_add(t, "the backend does not support ");
    text_count(t, c->cases[VERDICT_UNSUPPORTED]);
    text_add(t, " of ");
    text_count(t, c->planned);
    text_format(t, " planned case%s", c->planned == 1 ? "" : "s");
}

static void add_incomplete(const summary *m, bool running, text *t)
{
    if (!summary_is_unfinished(m)) {
        text_add(t, "Incomplete: ");
        summary_add_unsupported(&m->total, t);
        return;
    }
    text_add(t, running ? "Running: " : "Incomplete: ran ");
    if (m->share && coverage_is_endless(&m->coverage)) {
        text_count(t, m->total.ran);
        text_format(t, " cases of session %" PRIu64 "%s", m->coverage.session,
                    running ? ", no failure so far" : ", which is not over");
        return;
    }
    add_share(t, m->total.ran, m->total.planned);
    text_add(t, running ? " planned, no failure so far" : " planned");
}

/* "dml.slice1, f32: conformant in tier quick, at feature level 6_4 (1,024 cases)" */
static void add_conformant(const summary *m, const char *level, text *t)
{
    const bool leveled = level && level[0] && strcmp(level, "none") != 0 && has_levels(m);
    const bool narrowed = m->query && m->query[0]; /* the other cases were not run */
    scope_add_subject(&m->scope, t);
    text_add(t, ": conformant");
    if (m->total.cases[VERDICT_WAIVED])
        text_add(t, " except for waived failures");
    const char *before = " ";
    if (narrowed || m->quick) {
        text_format(t, narrowed ? "%sin what was run: '%s'" : "%sin tier quick", before, m->query);
        before = ", ";
    }
    if (m->share) {
        text_format(t, "%sin session %" PRIu64, before, m->coverage.session);
        before = ", ";
    }
    if (leveled)
        text_format(t, "%sat feature level %s", before, level);
    text_add(t, " (");
    text_count(t, m->scope.judged);
    text_format(t, " case%s)", m->scope.judged == 1 ? "" : "s");
}

void summary_verdict(const summary *m, const char *level, text *t)
{
    const bool running = m->state && strcmp(m->state, "running") == 0;
    const size_t before = t->length;
    const summary_outcome outcome = summary_outcome_of(m);
    if (m->validation && outcome == OUTCOME_FAILURES) {
        summary_validation_verdict(m, t);
        return;
    }
    switch (outcome) {
    case OUTCOME_FAILURES: add_failures(m, running, t); return;
    case OUTCOME_NOTHING: add_nothing(m, running, t); return;
    case OUTCOME_INCOMPLETE: add_incomplete(m, running, t); return;
    case OUTCOME_ABSENT:
        text_add(t, "Not conformant: ");
        text_count(t, scope_facts_absent(&m->facts));
        text_add(t, " required cases are absent");
        return;
    case OUTCOME_VALIDATED: summary_validation_verdict(m, t); return;
    case OUTCOME_PARTLY:
    case OUTCOME_CONFORMANT: add_conformant(m, level, t); break;
    }
    if (t->data && t->length > before && strncmp(t->data + before, "all ", 4) == 0) /* begins the sentence */
        t->data[before] = 'A';
}

void summary_rest(const summary *m, text *t)
{
    const summary_outcome outcome = summary_outcome_of(m);
    if (m->validation) {
        summary_validation_rest(m, t);
        return;
    }
    const bool named = outcome == OUTCOME_CONFORMANT || outcome == OUTCOME_PARTLY ||
                       (outcome == OUTCOME_FAILURES && m->operator_count == 1);
    if (m->scope.judged && !named) {
        text_add(t, " Judged: ");
        scope_add_subject(&m->scope, t);
        text_add(t, " (");
        text_count(t, m->scope.judged);
        text_format(t, " case%s).", m->scope.judged == 1 ? "" : "s");
    }
    const uint64_t unsupported = m->total.cases[VERDICT_UNSUPPORTED];
    if (unsupported && (outcome != OUTCOME_INCOMPLETE || summary_is_unfinished(m))) { /* else the verdict has it */
        text_add(t, " Planned and not supported: ");
        text_count(t, unsupported);
        text_format(t, " case%s.", unsupported == 1 ? "" : "s");
    }
    scope_add_rest(&m->scope, t);
}

void summary_headline(const summary *m, const char *level, text *t)
{
    summary_verdict(m, level, t);
    text_add(t, ".");
    summary_rest(m, t);
}

int summary_compare_dtypes(const char *a, const char *b)
{
    static const char *const order[] = { "f16", "bf16", "f32", "f64", "u4",  "u8",  "u16", "u32",
                                         "u64", "i4",   "i8",  "i16", "i32", "i64", "bool" };
    size_t count = sizeof order / sizeof *order, x = 0, y = 0;
    while (x < count && strcmp(order[x], a) != 0)
        ++x;
    while (y < count && strcmp(order[y], b) != 0)
        ++y;
    return x != y ? (x > y) - (x < y) : x < count ? 0 : strcmp(a, b);
}

int summary_compare_levels(const char *a, const char *b)
{
    /* "4_1": compared as numbers, so that 10_0 follows 6_4. */
    char *rest_a, *rest_b;
    long x = strtol(a, &rest_a, 10), y = strtol(b, &rest_b, 10);
    if (rest_a == a || rest_b == b)
        return strcmp(a, b) == 0 ? 0 : rest_a == a && rest_b == b ? strcmp(a, b) : rest_a == a ? -1 : 1;
    if (x != y)
        return x < y ? -1 : 1;
    x = *rest_a ? strtol(rest_a + 1, NULL, 10) : 0;
    y = *rest_b ? strtol(rest_b + 1, NULL, 10) : 0;
    return (x > y) - (x < y);
}
