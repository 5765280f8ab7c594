/* SPDX-License-Identifier: Apache-2.0 */
/* The whole run as one JSON object, with keys in a fixed order; docs/formats.md describes them. */
#include "reports/causes_print.h"
#include "reports/entries.h"
#include "harness/base/output.h"
#include "reports/report.h"
#include "reports/raw_call.h"
#include "reports/report_write.h"
#include "harness/store/store_printed.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

typedef struct writer {
    output out;
    summary m;
    json_t *clauses; /* "dml.slice1 SL-05": an array of its basis and its ground */
    bool more; /* an item was written before: the next one needs a comma */
} writer;

/* jansson rejects invalid UTF-8, which the name of a driver may contain. */
static json_t *string(const char *s)
{
    if (!s)
        return json_null();
    json_t *value = json_string(s);
    if (value)
        return value;
    text clean = { 0 };
    text_utf8(&clean, s);
    value = json_string(clean.data ? clean.data : "");
    text_free(&clean);
    return value;
}

/* A text that is JSON becomes part of the object; any other text becomes a string. */
static json_t *embedded(const char *s)
{
    json_t *value = s ? json_loads(s, JSON_DECODE_ANY, NULL) : json_null();
    return value ? value : string(s);
}

static json_t *number(uint64_t n)
{
    return json_integer((json_int_t)n);
}

static void write_value(writer *w, json_t *value, size_t flags)
{
    char *dump = value ? json_dumps(value, flags | JSON_PRESERVE_ORDER | JSON_ENCODE_ANY) : NULL;
    if (dump)
        text_add(&w->out.text, dump);
    else
        w->out.text.failed = true;
    free(dump);
    json_decref(value);
}

static void member(writer *w, const char *key, json_t *value)
{
    text_format(&w->out.text, "%s\n\"%s\": ", w->more ? "," : "", key);
    w->more = true;
    write_value(w, value, JSON_COMPACT);
}

/* Write one item of an array as one line, so that the file can be searched and compared by line. */
static bool item(writer *w, json_t *value)
{
    text_add(&w->out.text, w->more ? ",\n  " : "\n  ");
    w->more = true;
    write_value(w, value, JSON_COMPACT);
    output_flush(&w->out);
    return !w->out.text.failed && !w->out.failed;
}

static void begin_array(writer *w, const char *key)
{
    text_format(&w->out.text, ",\n\"%s\": [", key);
    w->more = false;
}

static void end_array(writer *w)
{
    text_add(&w->out.text, w->more ? "\n]" : "]");
    w->more = true;
}

static json_t *counts(const summary_counts *c)
{
    json_t *o = json_object(), *verdicts = json_object();
    json_object_set_new(o, "planned", number(c->planned));
    json_object_set_new(o, "ran", number(c->ran));
    json_object_set_new(o, "failed", number(c->failed));
    for (int v = 0; v < VERDICT_COUNT; ++v)
        json_object_set_new(verdicts, verdict_name((verdict)v), number(c->cases[v]));
    json_object_set_new(o, "verdicts", verdicts);
    return o;
}

static json_t *test_name(const summary *m, int64_t id)
{
    size_t i = summary_find_test(m, id);
    return i < m->test_count ? string(m->tests[i].name) : json_null();
}

/* Keep the basis and the ground of a clause for the findings that cite it. */
static void keep_clause(writer *w, const store_clause *c)
{
    text key = { 0 };
    text_format(&key, "%s %s", c->op, c->id);
    if (key.data)
        json_object_set_new(w->clauses, key.data, json_pack("[o,o]", string(c->basis), string(c->ground)));
    text_free(&key);
}

/* What a clause rests on, which the run's table of clauses says. */
static void set_ground(json_t *o, const writer *w, const store_finding *f)
{
    const size_t i = summary_find_test(&w->m, f->test);
    const json_t *kept = NULL;
    text key = { 0 };
    if (f->clause && i < w->m.test_count)
        text_format(&key, "%s %s", w->m.tests[i].op, f->clause);
    if (key.data)
        kept = json_object_get(w->clauses, key.data);
    text_free(&key);
    static const char *const names[] = { "basis", "ground" };
    for (size_t k = 0; k < 2; ++k)
        json_object_set_new(o, names[k], kept ? json_incref(json_array_get(kept, k)) : json_null());
}

static bool write_finding(void *context, const store_finding *f)
{
    writer *w = context;
    json_t *o = json_object();
    json_object_set_new(o, "id", json_integer(f->id));
    json_object_set_new(o, "test", test_name(&w->m, f->test));
    json_object_set_new(o, "index", number(f->index));
    json_object_set_new(o, "case", string(f->case_id));
    json_object_set_new(o, "verdict", string(verdict_name(f->verdict)));
    json_object_set_new(o, "clause", string(f->clause));
    set_ground(o, w, f);
    json_object_set_new(o, "dtype", string(f->dtype));
    json_object_set_new(o, "level", string(f->level));
    json_object_set_new(o, "tensor", string(f->tensor));
    json_object_set_new(o, "element", string(f->element));
    json_object_set_new(o, "expected", string(f->expected));
    json_object_set_new(o, "actual", string(f->actual));
    json_object_set_new(o, "source", string(f->source));
    json_object_set_new(o, "differing", number(f->differing));
    json_object_set_new(o, "detail", string(f->detail));
    json_object_set_new(o, "descriptor", embedded(f->descriptor));
    json_t *call = raw_call(f);
    json_object_set_new(o, "call", call ? call : json_null());
    json_object_set_new(o, "tensors", embedded(f->tensors));
    json_object_set_new(o, "reproducer", string(f->reproducer));
    json_object_set_new(o, "rate", string(f->rate));
    json_object_set_new(o, "depends", string(f->depends));
    json_object_set_new(o, "matters", string(f->matters));
    json_object_set_new(o, "printed", string(f->printed));
    json_object_set_new(o, "class", string(f->class));
    json_object_set_new(o, "stands_for", f->class ? number(f->stands_for) : json_null());
    json_object_set_new(o, "other_data", json_boolean(f->other_data));
    json_object_set_new(o, "shrunk", string(f->shrunk));
    json_object_set_new(o, "shrunk_facts", embedded(f->shrunk_facts));
    return item(w, o);
}

static bool write_observation(void *context, const store_observation *seen)
{
    writer *w = context;
    json_t *o = json_object();
    json_object_set_new(o, "test", test_name(&w->m, seen->test));
    json_object_set_new(o, "kind", string(seen->kind));
    json_object_set_new(o, "cases", number(seen->cases));
    json_object_set_new(o, "example", string(seen->example));
    json_object_set_new(o, "detail", string(seen->detail));
    return item(w, o);
}

static bool write_printed(void *context, const store_printed *p)
{
    writer *w = context;
    json_t *o = json_object();
    json_object_set_new(o, "test", test_name(&w->m, p->test));
    json_object_set_new(o, "process", number(p->process));
    json_object_set_new(o, "processes", number(p->processes));
    json_object_set_new(o, "bytes", number(p->bytes));
    json_object_set_new(o, "lines", number(p->lines));
    json_object_set_new(o, "head", string(p->head));
    json_object_set_new(o, "tail", string(p->tail));
    return item(w, o);
}

static bool write_clause(void *context, const store_clause *c)
{
    json_t *o = json_object();
    keep_clause(context, c);
    json_object_set_new(o, "operator", string(c->op));
    json_object_set_new(o, "id", string(c->id));
    json_object_set_new(o, "text", string(c->text));
    json_object_set_new(o, "page", string(c->page));
    json_object_set_new(o, "section", string(c->section));
    json_object_set_new(o, "basis", string(c->basis));
    json_object_set_new(o, "ground", string(c->ground));
    json_object_set_new(o, "breakable", json_boolean(c->breakable));
    json_object_set_new(o, "broken", number(c->broken));
    json_object_set_new(o, "refused", number(c->refused));
    return item(context, o);
}

/* Write each entry as the run file has it, with its state and the observed behaviours. */
static bool write_ledger(writer *w, store *s, error *e)
{
    entries all;
    if (!entries_read(&all, &w->m, s, e)) {
        entries_free(&all);
        return false;
    }
    for (size_t i = 0; i < all.count; ++i) {
        const entry *own = &all.list[i];
        json_t *o = json_copy((json_t *)(uintptr_t)own->json), *list = json_array();
        json_object_set_new(o, "state", string(entry_state_name(own->state)));
        for (size_t k = 0; k < own->behaviour_count; ++k) {
            const entry_behaviour *a = &own->behaviours[k];
            json_t *behaviour = json_object();
            json_object_set_new(behaviour, "test", string(w->m.tests[a->test].name));
            json_object_set_new(behaviour, "behaviour", string(a->text));
            json_object_set_new(behaviour, "cases", number(a->cases));
            json_object_set_new(behaviour, "example", string(a->example));
            json_object_set_new(behaviour, "detail", string(a->detail));
            json_array_append_new(list, behaviour);
        }
        json_object_set_new(o, "behaviours", list);
        item(w, o);
    }
    entries_free(&all);
    return true;
}

/* The data types of each operator that belong to a part; with the cases that were judged, or not offered. */
static json_t *scope_part_to_json(const scope *s, scope_part part)
{
    json_t *list = json_array();
    for (size_t i = 0; i < s->count; ++i) {
        const scope_operator *own = &s->operators[i];
        json_t *types = json_array();
        uint64_t refused = 0;
        for (size_t k = 0; k < own->type_count; ++k) {
            if (scope_type_is(&own->types[k], part))
                json_array_append_new(types, string(own->types[k].name));
            refused += own->types[k].refused;
        }
        const bool cases = part == SCOPE_NOT_OFFERED && refused;
        if (json_array_size(types) == 0 && !cases && !scope_operator_is(own, part)) {
            json_decref(types);
            continue;
        }
        json_t *o = json_object();
        json_object_set_new(o, "operator", string(own->name));
        json_object_set_new(o, "dtypes", types);
        if (part == SCOPE_JUDGED || part == SCOPE_NOT_OFFERED)
            json_object_set_new(o, "cases", number(part == SCOPE_JUDGED ? own->judged : refused));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *scope_counts_to_json(const scope_counts *c)
{
    json_t *list = json_array();
    for (size_t i = 0; i < c->count; ++i) {
        json_t *o = json_object();
        json_object_set_new(o, "operator", string(c->list[i].op));
        json_object_set_new(o, "dtype", string(c->list[i].dtype));
        json_object_set_new(o, "cases", number(c->list[i].cases));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *clauses_to_json(const scope_counts *c)
{
    json_t *list = json_array();
    for (size_t i = 0; i < c->count; ++i) {
        json_t *o = json_object();
        json_object_set_new(o, "operator", string(c->list[i].op));
        json_object_set_new(o, "clause", string(c->list[i].dtype));
        json_object_set_new(o, "cases", number(c->list[i].cases));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *scope_to_json(const summary *m)
{
    static const char *const names[] = { "required", "offered", "judged", "not_judged", "not_offered", "not_tried" };
    json_t *o = json_object(), *demands = json_array();
    for (int part = SCOPE_REQUIRED; part <= SCOPE_NOT_TRIED; ++part)
        json_object_set_new(o, names[part], scope_part_to_json(&m->scope, (scope_part)part));
    for (size_t i = 0; i < m->facts.demand_count; ++i) {
        const scope_demand *d = &m->facts.demands[i];
        json_t *own = json_object();
        json_object_set_new(own, "query", string(d->query));
        json_object_set_new(own, "cases", number(d->cases));
        json_object_set_new(own, "absent", number(scope_counts_sum(&d->refused) + scope_counts_sum(&d->untried)));
        json_object_set_new(own, "not_offered", scope_counts_to_json(&d->refused));
        json_object_set_new(own, "not_tried", scope_counts_to_json(&d->untried));
        json_array_append_new(demands, own);
    }
    json_object_set_new(o, "demands", demands);
    json_object_set_new(o, "refusals_not_judged", clauses_to_json(&m->facts.unshown));
    return o;
}

static void write_head(writer *w, store *s)
{
    static const char *const outcomes[] = { "conformant", "conformant-in-part", "failures", "incomplete",
                                            "nothing",    "required-absent",    "validated" };
    text headline = { 0 };
    summary_headline(&w->m, store_get(s, STORE_LEVEL), &headline);
    text_add(&w->out.text, "{");
    member(w, "format", json_integer(1));
    member(w, "digest", string(store_get(s, STORE_DIGEST)));
    member(w, "outcome", string(outcomes[summary_outcome_of(&w->m)]));
    member(w, "headline", string(headline.data));
    text_free(&headline);
    member(w, "scope", scope_to_json(&w->m));
    json_t *run = json_object();
    json_object_set_new(run, STORE_STATE, string(w->m.state));
    for (size_t i = 0; i < summary_fact_count; ++i)
        json_object_set_new(run, summary_facts[i].key, string(store_get(s, summary_facts[i].key)));
    member(w, "run", run);
    member(w, "coverage", w->m.share ? embedded(store_get(s, STORE_COVERAGE)) : json_null());
    member(w, "total", counts(&w->m.total));
}

static json_t *validated(uint64_t asked, const char *agreed, uint64_t agree)
{
    json_t *o = json_object();
    json_object_set_new(o, "asked", number(asked));
    json_object_set_new(o, agreed, number(agree));
    return o;
}

/* The descriptors of operators that are checked, but not computed; null in any other run. */
static void write_validation(writer *w)
{
    if (!w->m.validation) {
        member(w, "validation", json_null());
        return;
    }
    json_t *list = json_array();
    for (size_t i = 0; i < w->m.operator_count; ++i) {
        const summary_validated v = summary_validated_of(&w->m, i);
        json_t *o = json_object();
        json_object_set_new(o, "operator", string(w->m.operators[i].name));
        json_object_set_new(o, "offered", json_boolean(v.offered));
        json_object_set_new(o, "legal", validated(v.legal, "accepted", v.accepted));
        json_object_set_new(o, "illegal", validated(v.illegal, "refused", v.refused));
        json_object_set_new(o, "crashes_and_hangs", number(v.ended));
        json_array_append_new(list, o);
    }
    json_t *all = json_object();
    json_object_set_new(all, "operators", list);
    member(w, "validation", all);
}

static bool write_causes(writer *w, store *s, error *e)
{
    causes all;
    const bool fine = causes_find(&all, s, e);
    begin_array(w, "causes");
    for (size_t i = 0; fine && i < all.count; ++i)
        item(w, causes_json(&all.list[i], s));
    end_array(w);
    member(w, "causes_unknown", string(fine ? all.unknown : NULL));
    causes_free(&all);
    return fine;
}

static void write_numbers(writer *w)
{
    begin_array(w, "tests");
    for (size_t i = 0; i < w->m.test_count; ++i) {
        const summary_test *t = &w->m.tests[i];
        json_t *o = json_object();
        json_object_set_new(o, "name", string(t->name));
        json_object_set_new(o, "operator", string(t->op));
        json_object_set_new(o, "test", string(t->test));
        json_object_set_new(o, "tier", string(t->tier));
        json_object_set_new(o, "title", string(t->title));
        json_object_set_new(o, "points", number(t->points));
        json_t *own = counts(&t->counts);
        json_object_update(o, own);
        json_decref(own);
        item(w, o);
    }
    end_array(w);
    begin_array(w, "tallies");
    for (size_t i = 0; i < w->m.tally_count; ++i) {
        const summary_tally *t = &w->m.tallies[i];
        json_t *o = json_object();
        json_object_set_new(o, "test", string(w->m.tests[t->test].name));
        json_object_set_new(o, "dtype", string(t->dtype));
        json_object_set_new(o, "level", string(t->level));
        json_object_set_new(o, "verdict", string(verdict_name(t->verdict)));
        json_object_set_new(o, "cases", number(t->cases));
        item(w, o);
    }
    end_array(w);
}

static bool write_all(void *context, store *s, error *e)
{
    writer *w = context;
    write_head(w, s);
    write_validation(w);
    if (!write_causes(w, s, e))
        return false;
    write_numbers(w);
    begin_array(w, "observations");
    if (!store_each_observation(s, write_observation, w, e))
        return false;
    end_array(w);
    begin_array(w, "printed");
    if (!store_each_printed(s, write_printed, w, e))
        return false;
    end_array(w);
    begin_array(w, "ledger");
    if (!write_ledger(w, s, e))
        return false;
    end_array(w);
    begin_array(w, "clauses");
    if (!store_each_clause(s, write_clause, w, e))
        return false;
    end_array(w);
    begin_array(w, "findings");
    if (!store_each_finding(s, 0, 0, write_finding, w, e))
        return false;
    end_array(w);
    text_add(&w->out.text, "\n}\n");
    return true;
}

bool report_json(store *s, const char *path, error *e)
{
    writer w = { .clauses = json_object() };
    const bool fine = report_write(&w.out, &w.m, s, path, write_all, &w, e);
    json_decref(w.clauses);
    return fine;
}
