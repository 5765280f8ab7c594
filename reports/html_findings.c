/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packs 10^5 findings into a page of 5 MB. The page's data has all of them in blocks of columns, since columns compress
 * better than rows; texts that a sentence quotes from other fields are replaced by codes. The data is deflated and
 * base64-encoded; the browser unpacks it. Rendered tensors are stored for the first findings and for some of every
 * group. The first findings of each group are also in the page as plain HTML, for browsers without scripts.
 */
#include "harness/base/array.h"
#include "reports/html_parts.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    BLOCK = 2048,         /* findings in a block of columns */
    RENDERED = 2000,      /* findings with rendered tensors, of all groups */
    RENDERED_EACH = 10,   /* and of every group, once half of them are used */
    RENDERED_CHUNK = 100, /* rendered findings that are unpacked together */
    PLAIN = 200,          /* findings as plain HTML */
    PLAIN_EACH = 10,      /* of every group */
    PLAIN_BYTES = 400000,
    PRINTED = 10,           /* findings on paper */
    RENDERED_BYTES = 65536, /* a larger rendering is left out */
    DRAWING_BYTES = 20000   /* of a cause */
};

/* The columns of a block; finding.js reads them in this order. */
enum {
    COLUMN_ID,
    COLUMN_TEST,
    COLUMN_VERDICT,
    COLUMN_DTYPE,
    COLUMN_LEVEL,
    COLUMN_CLAUSE,
    COLUMN_CASE,
    COLUMN_TENSOR,
    COLUMN_ELEMENT,
    COLUMN_EXPECTED,
    COLUMN_ACTUAL,
    COLUMN_SOURCE,
    COLUMN_DIFFERING,
    COLUMN_DETAIL,
    COLUMN_REPRODUCER,
    COLUMN_PRINTED,
    COLUMN_COUNT
};

typedef struct pass {
    html_findings *f;
    text columns[COLUMN_COUNT];
    unsigned rows; /* in the current block */
    int64_t last_id;
    z_stream stream;
    text packed; /* output of the stream */
    bool full;
    size_t room;     /* for the packed data, in bytes before base64 */
    text renderings; /* the current chunk */
    unsigned chunk;  /* renderings in it */
    text *chunks;    /* deflated */
    size_t chunk_count, chunk_capacity;
    size_t chunk_bytes;
    unsigned rendered;
    text scratch, template;
    bool failed;
} pass;

/* ---- packing ------------------------------------------------------------------------------------------------------
 */

static void deflate_into(pass *p, const text *from, int flush)
{
    unsigned char buffer[32768];
    p->stream.next_in = (Bytef *)from->data;
    p->stream.avail_in = (uInt)from->length;
    do {
        p->stream.next_out = buffer;
        p->stream.avail_out = sizeof buffer;
        if (deflate(&p->stream, flush) == Z_STREAM_ERROR) {
            p->failed = true;
            return;
        }
        text_bytes(&p->packed, buffer, sizeof buffer - p->stream.avail_out);
    } while (p->stream.avail_out == 0);
}

/* Put the current block into the stream, as a line of JSON. Sets p->full where there is no room for another block. */
static void finish_block(pass *p)
{
    if (p->rows == 0)
        return;
    p->scratch.length = 0;
    text_add(&p->scratch, "[");
    for (int i = 0; i < COLUMN_COUNT; ++i) {
        text_add(&p->scratch, i ? ",[" : "[");
        if (p->columns[i].length > 0)
            text_bytes(&p->scratch, p->columns[i].data, p->columns[i].length);
        text_add(&p->scratch, "]");
        p->failed |= p->columns[i].failed;
        p->columns[i].length = 0;
    }
    text_add(&p->scratch, "]\n");
    deflate_into(p, &p->scratch, Z_BLOCK);
    p->f->packed += p->rows;
    /* Blocks have similar sizes: leave room for one and a half times their average. */
    size_t average = p->packed.length / (size_t)(p->f->packed / BLOCK + 1);
    p->full = p->packed.length + average * 3 / 2 > p->room;
    p->rows = 0;
}

/* A field of the finding that its sentences are likely to quote. */
typedef struct quoted {
    const char *start;
    size_t length;
} quoted;

enum { QUOTED = 9 };

static quoted whole(const char *s)
{
    return (quoted){ s, s ? strlen(s) : 0 };
}

/* The bits and the value of "0x40400000 (3)". */
static void parts(const char *s, quoted *bits, quoted *value)
{
    const char *blank = s ? strchr(s, ' ') : NULL;
    *bits = *value = (quoted){ NULL, 0 };
    if (!blank || strncmp(s, "0x", 2) != 0)
        return;
    *bits = (quoted){ s, (size_t)(blank - s) };
    size_t rest = strlen(blank);
    if (rest > 3 && blank[1] == '(' && blank[rest - 1] == ')')
        *value = (quoted){ blank + 2, rest - 3 };
}

/* The text with each quotation replaced by a code: U+E000 plus its position in the list. */
static const char *templated(pass *p, const char *s, const quoted *list)
{
    text *t = &p->template;
    if (!s)
        return NULL;
    t->length = 0;
    text_add(t, "");
    while (*s) {
        int best = -1;
        for (int i = 0; i < QUOTED; ++i)
            if (list[i].length >= 3 && (best < 0 || list[i].length > list[best].length) && *s == list[i].start[0] &&
                strncmp(s, list[i].start, list[i].length) == 0)
                best = i;
        if (best >= 0) {
            char code[3] = { '\xEE', '\x80', (char)(0x80 + best) };
            text_bytes(t, code, 3);
            s += list[best].length;
        } else {
            /* The text itself must not contain a code. */
            bool code = strncmp(s, "\xEE\x80", 2) == 0;
            text_bytes(t, code ? "?" : s, 1);
            ++s;
        }
    }
    if (t->failed || t->length == 0)
        return "";
    return t->data;
}

static void add_row(pass *p, const store_finding *f, size_t test)
{
    quoted list[QUOTED] = { whole(f->expected), whole(f->actual), { 0 }, { 0 }, { 0 }, { 0 }, whole(f->source),
                            whole(f->element),  whole(f->case_id) };
    parts(f->expected, &list[2], &list[3]);
    parts(f->actual, &list[4], &list[5]);
    if (p->rows > 0)
        for (int i = 0; i < COLUMN_COUNT; ++i)
            text_add(&p->columns[i], ",");
    else
        p->last_id = 0;
    /* Ids are mostly consecutive, so that their differences are ones. */
    text_format(&p->columns[COLUMN_ID], "%" PRId64, f->id - p->last_id);
    p->last_id = f->id;
    text_format(&p->columns[COLUMN_TEST], "%zu", test);
    text_format(&p->columns[COLUMN_VERDICT], "%d", (int)f->verdict);
    text_json_visible(&p->columns[COLUMN_DTYPE], f->dtype);
    text_json_visible(&p->columns[COLUMN_LEVEL], f->level);
    text_json_visible(&p->columns[COLUMN_CLAUSE], f->clause);
    /* Leave out the name of the test; the rest then starts with a colon, unlike a whole id. */
    const char *case_id = f->case_id ? f->case_id : "";
    const char *name = p->f->m->tests[test].name;
    size_t prefix = strlen(name);
    if (strncmp(case_id, name, prefix) == 0 && case_id[prefix] == ':')
        case_id += prefix;
    text_json_visible(&p->columns[COLUMN_CASE], case_id);
    text_json_visible(&p->columns[COLUMN_TENSOR], f->tensor);
    text_json_visible(&p->columns[COLUMN_ELEMENT], f->element);
    text_json_visible(&p->columns[COLUMN_EXPECTED], f->expected);
    text_json_visible(&p->columns[COLUMN_ACTUAL], f->actual);
    text_json_visible(&p->columns[COLUMN_SOURCE], f->source);
    text_format(&p->columns[COLUMN_DIFFERING], "%" PRIu64, f->differing);
    text_json_visible(&p->columns[COLUMN_DETAIL], templated(p, f->detail, list));
    text_json_visible(&p->columns[COLUMN_REPRODUCER], templated(p, f->reproducer, list));
    text_json_visible(&p->columns[COLUMN_PRINTED], f->printed);
    if (++p->rows == BLOCK)
        finish_block(p);
}

/* ---- renderings -----------------------------------------------------------------------------------------------------
 */

static void finish_chunk(pass *p)
{
    if (p->chunk == 0)
        return;
    if (!array_reserve(&p->chunks, &p->chunk_capacity, p->chunk_count + 1, sizeof *p->chunks)) {
        p->failed = true;
        return;
    }
    text_add(&p->renderings, "}");
    uLongf size = compressBound((uLong)p->renderings.length);
    unsigned char *packed = malloc(size);
    text *chunk = &p->chunks[p->chunk_count++];
    *chunk = (text){ 0 };
    if (packed && compress2(packed, &size, (const Bytef *)p->renderings.data, (uLong)p->renderings.length, 9) == Z_OK)
        text_base64(chunk, packed, size);
    else
        p->failed = true;
    free(packed);
    p->chunk_bytes += chunk->length;
    p->chunk = 0;
    p->renderings.length = 0;
}

static void add_rendering(pass *p, const store_finding *f)
{
    p->scratch.length = 0;
    html_finding_tensors(&p->scratch, f);
    if (p->scratch.length == 0 || p->scratch.length > RENDERED_BYTES || p->scratch.failed)
        return;
    text_format(&p->renderings, "%s\"%" PRId64 "\":", p->chunk ? "," : "{", f->id);
    text_json(&p->renderings, p->scratch.data);
    p->rendered++;
    if (++p->chunk == RENDERED_CHUNK)
        finish_chunk(p);
}

/* ---- the pass -----------------------------------------------------------------------------------------------------
 */

html_clause *html_find_clause(const html_findings *f, const char *op, const char *id)
{
    for (size_t i = 0; id && i < f->clause_count; ++i)
        if (strcmp(f->clauses[i].id, id) == 0 && strcmp(f->clauses[i].op, op) == 0)
            return &f->clauses[i];
    return NULL;
}

static html_group *find_group(html_findings *f, size_t test, verdict v, const char *dtype)
{
    /* The latest first: consecutive findings are mostly of one group. */
    for (size_t i = f->group_count; i-- > 0;)
        if (f->groups[i].test == test && f->groups[i].verdict == v &&
            strncmp(f->groups[i].dtype, dtype, sizeof f->groups[i].dtype - 1) == 0)
            return &f->groups[i];
    if (!array_reserve(&f->groups, &f->group_capacity, f->group_count + 1, sizeof *f->groups))
        return NULL;
    html_group *group = &f->groups[f->group_count++];
    *group = (html_group){ .test = test, .verdict = v };
    snprintf(group->dtype, sizeof group->dtype, "%s", dtype);
    return group;
}

static void add_plain(pass *p, const store_finding *f, const html_group *group, const html_clause *clause)
{
    text *t = &p->f->plain;
    text_add(t, p->f->plain_count < PRINTED ? "<details class=\"finding\" id=\"finding="
                                            : "<details class=\"finding beyond\" id=\"finding=");
    text_xml(t, f->case_id);
    text_format(t, "\"><summary><span class=\"n\">#%" PRId64 "</span> ", f->id);
    html_verdict(t, f->verdict);
    text_add(t, " <span class=\"case\">");
    text_xml(t, f->case_id);
    text_add(t, "</span></summary><div class=\"body\">");
    html_finding_facts(t, f, clause, p->f->entries);
    if (group->plain == 0)
        html_finding_tensors(t, f);
    html_finding_commands(t, f, p->f->numpy);
    text_add(t, "</div></details>\n");
    p->f->plain_count++;
}

/* Draw the finding for the causes whose smallest case it is. */
static void draw_for_causes(pass *p, const store_finding *f)
{
    html_findings *own = p->f;
    for (size_t i = 0; f->case_id && f->tensors && i < own->causes->count; ++i) {
        const char *id = own->causes->list[i].case_id;
        if (own->drawings[i].length || !id || strcmp(id, f->case_id) != 0)
            continue;
        json_t *tensors = json_loads(f->tensors, 0, NULL);
        html_drawing(&own->drawings[i], f, tensors);
        json_decref(tensors);
        if (own->drawings[i].length > DRAWING_BYTES)
            text_free(&own->drawings[i]);
    }
}

static bool read_finding(void *context, const store_finding *f)
{
    pass *p = context;
    html_findings *own = p->f;
    size_t test = summary_find_test(own->m, f->test);
    if (test == own->m->test_count)
        return true;
    own->retained++;
    html_group *group = find_group(own, test, f->verdict, f->dtype ? f->dtype : "");
    html_clause *clause = html_find_clause(own, own->m->tests[test].op, f->clause);
    if (!group) {
        p->failed = true;
        return false;
    }
    group->retained++;
    if (clause)
        clause->cited++;
    entries_cite(own->entries, f->case_id);
    draw_for_causes(p, f);
    if (own->plain_count < PLAIN && group->plain < PLAIN_EACH && own->plain.length < PLAIN_BYTES) {
        add_plain(p, f, group, clause);
        group->plain++;
    }
    if (!p->full) {
        add_row(p, f, test);
        /* The first findings get half of the renderings; the rest is shared by all groups. */
        if (p->rendered < RENDERED && (p->rendered < RENDERED / 2 || group->rendered < RENDERED_EACH)) {
            add_rendering(p, f);
            group->rendered++;
        }
    }
    return !p->failed;
}

static bool read_clause(void *context, const store_clause *c)
{
    pass *p = context;
    html_findings *f = p->f;
    if (!array_reserve(&f->clauses, &f->clause_capacity, f->clause_count + 1, sizeof *f->clauses)) {
        p->failed = true;
        return false;
    }
    html_clause *own = &f->clauses[f->clause_count++];
    *own = (html_clause){ .op = strdup(c->op ? c->op : ""),
                          .id = strdup(c->id ? c->id : ""),
                          .text = strdup(c->text ? c->text : ""),
                          .page = strdup(c->page ? c->page : ""),
                          .section = strdup(c->section ? c->section : ""),
                          .basis = strdup(c->basis ? c->basis : ""),
                          .ground = strdup(c->ground ? c->ground : ""),
                          .breakable = c->breakable,
                          .broken = c->broken,
                          .refused = c->refused };
    if (!own->op || !own->id || !own->text || !own->page || !own->section || !own->basis || !own->ground)
        p->failed = true;
    return !p->failed;
}

/* Add the cases that the tallies count, also those without a retained finding. */
static void add_found(pass *p)
{
    for (size_t i = 0; i < p->f->m->tally_count; ++i) {
        const summary_tally *t = &p->f->m->tallies[i];
        if (t->verdict == VERDICT_PASS || t->verdict == VERDICT_UNSUPPORTED || t->cases == 0)
            continue;
        html_group *group = find_group(p->f, t->test, t->verdict, t->dtype);
        if (group)
            group->found += t->cases;
        else
            p->failed = true;
    }
}

static void write_data(pass *p, size_t room)
{
    text *t = &p->f->data;
    text_add(t, "<script type=\"text/plain\" id=\"data-findings\">");
    text_base64(t, p->packed.data, p->packed.length);
    text_add(t, "</script>\n");
    for (size_t i = 0; i < p->chunk_count && t->length + p->chunks[i].length + 100 < room; ++i) {
        text_add(t, "<script type=\"text/plain\" class=\"data-renderings\">");
        text_bytes(t, p->chunks[i].data, p->chunks[i].length);
        text_add(t, "</script>\n");
    }
}

bool html_findings_read(html_findings *f, const summary *m, entries *all, const causes *found, store *s, size_t room,
                        error *e)
{
    *f = (html_findings){ .m = m,
                          .entries = all,
                          .causes = found,
                          .drawings = calloc(found->count + 1, sizeof *f->drawings),
                          .numpy = html_runs_numpy(s) };
    pass p = { .f = f };
    if (!f->drawings)
        return error_set(e, "out of memory");
    room = room > PLAIN_BYTES + 100000 ? room - PLAIN_BYTES : 100000;
    /* The findings may use nine tenths; the renderings get the rest. Four characters of base64 encode three bytes. */
    p.room = room / 10 * 9 / 4 * 3;
    bool ok = deflateInit(&p.stream, 6) == Z_OK || error_set(e, "out of memory");
    if (ok) {
        add_found(&p);
        ok = store_each_clause(s, read_clause, &p, e) && store_each_finding(s, 0, 0, read_finding, &p, e);
        if (ok) {
            finish_block(&p);
            finish_chunk(&p);
            p.scratch.length = 0;
            deflate_into(&p, &p.scratch, Z_FINISH);
            write_data(&p, room);
        }
        deflateEnd(&p.stream);
    }
    p.failed |= p.packed.failed || p.renderings.failed || p.scratch.failed || p.template.failed || f->plain.failed ||
                f->data.failed;
    if (ok && p.failed)
        ok = error_set(e, "out of memory");
    for (int i = 0; i < COLUMN_COUNT; ++i)
        text_free(&p.columns[i]);
    for (size_t i = 0; i < p.chunk_count; ++i)
        text_free(&p.chunks[i]);
    free(p.chunks);
    text_free(&p.packed);
    text_free(&p.renderings);
    text_free(&p.scratch);
    text_free(&p.template);
    return ok;
}

void html_findings_free(html_findings *f)
{
    for (size_t i = 0; i < f->clause_count; ++i) {
        html_clause *c = &f->clauses[i];
        free(c->op);
        free(c->id);
        free(c->text);
        free(c->page);
        free(c->section);
        free(c->basis);
        free(c->ground);
    }
    for (size_t i = 0; f->drawings && i < f->causes->count; ++i)
        text_free(&f->drawings[i]);
    free(f->drawings);
    free(f->clauses);
    free(f->groups);
    text_free(&f->plain);
    text_free(&f->data);
    *f = (html_findings){ 0 };
}
