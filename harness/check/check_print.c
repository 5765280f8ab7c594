/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/check/check_print.h"
#include "harness/base/color.h"
#include "harness/base/visible.h"
#include "harness/model/descriptor.h"
#include "reference/ledger.h"

#include <inttypes.h>
#include <string.h>

#define MOST_MENTIONS 16

/* ---- what all formats share -------------------------------------------------------------------------------- */

const char *check_item_status(const check_item *item, evaluate_status status)
{
    if (item->broken || item->gaps.mistake_count)
        return "unreadable";
    if (!item->known)
        return "unknown operator";
    if (!item->judged || (item->undecided && status == EVALUATE_OK))
        return "undecided";
    return status == EVALUATE_OK ? "valid" : evaluate_status_name(status);
}

/* No clause that binds is broken. */
static bool may_be_refused(const check_item *item, evaluate_status status)
{
    return !item->known || status == EVALUATE_OK || status == EVALUATE_OPEN;
}

/* What no page decides is fine where the user allows it. */
static evaluate_status settle_open(const check_printer *p, evaluate_status status)
{
    bool allowed = status == EVALUATE_OPEN && p->report.dropped == 0;
    for (unsigned i = 0; i < p->report.count && allowed; ++i)
        allowed = p->report.items[i].result != TS_RESULT_OPEN || check_allows(p->o, p->report.items[i].clause);
    return allowed ? EVALUATE_OK : status;
}

const char *check_print_status(const check_printer *p, const check_item *item, evaluate_status status)
{
    const bool judged = item->known && item->judged;
    const check_class c = check_class_of(item, judged ? &p->report : NULL, p->o);
    if (c == CHECK_BEYOND)
        return "beyond";
    if (c == CHECK_REFUSED && may_be_refused(item, status))
        return "refused";
    return check_item_status(item, settle_open(p, status));
}

check_place check_violation_place(const check_item *item, const ts_violation *v)
{
    ts_mention m[MOST_MENTIONS];
    size_t count = mention_list(&item->d, v, m, MOST_MENTIONS);
    check_place place = item->place;
    for (unsigned i = 0; i < item->found.count && i < TS_MAX_VIOLATIONS; ++i) {
        if (item->found_places[i].line && strcmp(item->found.items[i].clause, v->clause) == 0 &&
            strcmp(item->found.items[i].text, v->text) == 0)
            return item->found_places[i];
    }
    for (size_t i = 0; item->locate && i < count; ++i) {
        if (item->locate(item, &m[i], &place))
            return place;
    }
    return item->place;
}

bool check_all_levels(const check_printer *p, const check_item *item)
{
    return p->o->level == 0 && !item->gaps.mistake_count && item->d.feature_level == 0 &&
           operator_has_levels(item->d.op);
}

const char *check_violation_follows(const check_item *item, const ts_report *report, const ts_violation *v)
{
    const ts_operator *op = item->d.op;
    if (!op->shape_clause || strcmp(v->clause, op->shape_clause) != 0)
        return NULL;
    for (unsigned i = 0; i < report->count; ++i) {
        const ts_violation *other = &report->items[i];
        ts_mention m[MOST_MENTIONS];
        if (other->result != TS_RESULT_INVALID || strcmp(other->clause, v->clause) == 0 ||
            (other->axis >= 0 && v->axis >= 0 && other->axis != v->axis)) /* another axis is another matter */
            continue;
        const size_t count = mention_list(&item->d, other, m, MOST_MENTIONS);
        for (size_t k = 0; k < count; ++k)
            if (m[k].attr >= 0 || (m[k].tensor >= 0 && op->tensors[m[k].tensor].role == TS_INPUT))
                return other->clause;
    }
    return NULL;
}

void check_violation_legal(const check_item *item, const ts_report *report, const ts_violation *v, char *buf,
                           size_t size)
{
    buf[0] = 0;
    if (check_violation_follows(item, report, v))
        return;
    if (item->judge && strcmp(v->clause, item->d.op->shape_clause) == 0)
        return; /* the shape depends on values that the file does not hold */
    check_suggest(item->judge ? item->judge : &item->d, v, buf, size);
}

static void count_unknown(check_printer *p, const char *name)
{
    p->unknown++;
    for (size_t i = 0; i < p->name_count; ++i) {
        if (strncmp(p->names[i].name, name, sizeof p->names[i].name - 1) == 0) {
            p->names[i].count++;
            return;
        }
    }
    if (p->name_count == sizeof p->names / sizeof p->names[0])
        return;
    snprintf(p->names[p->name_count].name, sizeof p->names[0].name, "%.63s", name);
    p->names[p->name_count++].count = 1;
}

/* Count an item that has nothing unreadable. */
static void count_status(check_printer *p, const check_item *item, evaluate_status status, check_class c)
{
    if (c == CHECK_BEYOND)
        p->beyond++;
    else if (c == CHECK_REFUSED && may_be_refused(item, status))
        p->refused++;
    else if (!item->known)
        count_unknown(p, item->op_name);
    else if (!item->judged)
        p->undecided++;
    else if (settle_open(p, status) == EVALUATE_OK && item->undecided)
        p->undecided++;
    else if (settle_open(p, status) == EVALUATE_OK)
        p->valid++;
    else if (status == EVALUATE_INVALID)
        p->invalid++;
    else if (status == EVALUATE_UNSUPPORTED)
        p->unsupported++;
    else if (status == EVALUATE_OPEN)
        p->open++;
}

bool check_print_item(void *context, const check_item *item, error *e)
{
    check_printer *p = context;
    evaluate_status status = EVALUATE_OK;
    (void)e;
    if (item->instead) {
        p->instead = item->instead;
        return true;
    }
    if (item->layers) {
        p->other_layers += item->layers->total;
        check_print_layers(p, item);
        return true;
    }
    const bool judged = item->known && item->judged;
    p->items++;
    if (judged) {
        check_judge_item(item, p->o, 0, &p->report);
        status = check_status(&p->report);
    }
    const check_class c = check_class_of(item, judged ? &p->report : NULL, p->o);
    p->worst = c > p->worst ? c : p->worst;
    if (item->broken || item->gaps.mistake_count)
        p->unreadable++;
    else
        count_status(p, item, status, c);
    switch (p->format) {
    case CHECK_TEXT: check_print_text(p, item, status); break;
    case CHECK_JSON: check_print_json(p, item, status); break;
    case CHECK_SARIF: check_print_sarif(p, item, status); break;
    case CHECK_QUIET: break;
    }
    return true;
}

/* ---- the drawing ------------------------------------------------------------------------------------------- */

/* One row of values by axis, with marks under those that break a clause. */
typedef struct row {
    char label[64];
    char cells[TS_MAX_DIMS][120]; /* a nested operator with its attributes is long */
    unsigned count;
    bool marked[TS_MAX_DIMS];
    char clauses[64];
} row;

#define MOST_ROWS (1 + 2 * TS_MAX_TENSORS + TS_MAX_ATTRS)

typedef struct drawing {
    const check_printer *p;
    const check_item *item;
    row rows[MOST_ROWS];
    unsigned count;
} drawing;

static row *add_row(drawing *w, unsigned cells)
{
    row *r = &w->rows[w->count++];
    memset(r, 0, sizeof *r);
    r->count = cells < TS_MAX_DIMS ? cells : TS_MAX_DIMS;
    return r;
}

/* Mark the element of a row that a violation names, or the whole row where it names none. */
static void mark(row *r, const ts_mention *m, const char *clause)
{
    for (unsigned i = 0; i < r->count; ++i) {
        if (m->index < 0 || i == (unsigned)m->index)
            r->marked[i] = true;
    }
    if (strstr(r->clauses, clause) || strlen(r->clauses) + strlen(clause) + 2 > sizeof r->clauses)
        return;
    strcat(r->clauses, r->clauses[0] ? " " : "");
    strcat(r->clauses, clause);
}

/* Mark a row by every violation that is about its field. A whole list is marked only where the violation names no
   single element. */
static void mark_row(const drawing *w, row *r, int tensor, int attr, const char *field)
{
    for (unsigned i = 0; i < w->p->report.count; ++i) {
        const ts_violation *v = &w->p->report.items[i];
        ts_mention m[MOST_MENTIONS];
        size_t count = mention_list(&w->item->d, v, m, MOST_MENTIONS);
        for (size_t k = 0; k < count; ++k) {
            bool same = m[k].tensor == tensor && m[k].attr == attr && strcmp(m[k].field, field) == 0;
            if (same && (m[k].index >= 0 || attr >= 0 || strcmp(field, "Strides") == 0))
                mark(r, &m[k], v->clause);
        }
    }
}

static void tensor_rows(drawing *w, unsigned k)
{
    const ts_operator *op = w->item->d.op;
    const ts_tensor *t = &w->item->d.tensors[k];
    const unsigned all = TS_GIVEN_TENSOR | TS_GIVEN_DESC | TS_GIVEN_SIZES;
    if ((!(t->given & TS_GIVEN_TENSOR) && op->tensors[k].optional) || (w->item->gaps.absent >> k & 1))
        return;
    bool no_sizes = check_is_unread(w->item, (int)k, -1, "Sizes", -1) ||
                    ((w->item->gaps.inferred_sizes >> k & 1) && check_lacks_sizes(w->item, k));
    row *r = add_row(w, (t->given & all) == all && !no_sizes ? t->rank : 0);
    const char *lacks = !(t->given & TS_GIVEN_TENSOR)  ? "null"
                        : !(t->given & TS_GIVEN_DESC)  ? "(no Desc)"
                        : !(t->given & TS_GIVEN_SIZES) ? "(Sizes null)"
                                                       : "";
    const char *unread_type = check_stand_in(w->item, (int)k, -1, "DataType", -1);
    const char *type = unread_type         ? unread_type
                       : w->item->types[k] ? w->item->types[k]
                                           : operator_dtype_name(op, t->dtype);
    snprintf(r->label, sizeof r->label, "%s %.20s%s", op->tensors[k].name,
             (t->given & TS_GIVEN_DESC) && !(*lacks == 'n') ? type : "", lacks);
    for (unsigned i = 0; i < r->count; ++i) {
        const char *unread = check_stand_in(w->item, (int)k, -1, "Sizes", (int)i);
        if ((w->item->unknown_sizes[k] >> i & 1) || unread)
            snprintf(r->cells[i], sizeof r->cells[i], "%s", unread ? unread : "?");
        else
            snprintf(r->cells[i], sizeof r->cells[i], "%" PRIu64, t->sizes[i]);
    }
    mark_row(w, r, (int)k, -1, "Sizes");
    mark_row(w, r, (int)k, -1, "");
    if (!(t->given & TS_GIVEN_STRIDES) || r->count == 0)
        return;
    row *s = add_row(w, r->count);
    snprintf(s->label, sizeof s->label, "  Strides");
    for (unsigned i = 0; i < s->count; ++i) {
        const char *unread = check_stand_in(w->item, (int)k, -1, "Strides", (int)i);
        if (unread)
            snprintf(s->cells[i], sizeof s->cells[i], "%s", unread);
        else
            snprintf(s->cells[i], sizeof s->cells[i], "%" PRIu64, t->strides[i]);
    }
    mark_row(w, s, (int)k, -1, "Strides");
}

static void attr_row(drawing *w, unsigned k)
{
    const ts_attr_decl *a = &w->item->d.op->attrs[k];
    bool given = w->item->d.attrs_given >> k & 1;
    uint32_t count = given ? operator_attr_count(&w->item->d, k) : 0;
    if (!given && (a->optional || a->counts))
        return;
    row *r = add_row(w, count < a->capacity ? count : a->capacity);
    snprintf(r->label, sizeof r->label, "%s%s", a->name, given ? "" : " null");
    for (unsigned i = 0; i < r->count; ++i) {
        const char *unread = check_stand_in(w->item, -1, (int)k, "", (int)i);
        if ((w->item->unknown_attrs >> k & 1) || unread)
            snprintf(r->cells[i], sizeof r->cells[i], "%s", unread ? unread : "?");
        else
            descriptor_attr_text(&w->item->d, k, i, r->cells[i], sizeof r->cells[i]);
    }
    mark_row(w, r, -1, (int)k, "");
}

/* Columns are as wide as their widest value. A scalar is alone in its row and may be wider. */
static void column_widths(const drawing *w, size_t widths[TS_MAX_DIMS])
{
    for (unsigned i = 0; i < TS_MAX_DIMS; ++i)
        widths[i] = 3;
    for (unsigned k = 0; k < w->count; ++k) {
        for (unsigned i = 0; i < w->rows[k].count; ++i) {
            size_t width = strlen(w->rows[k].cells[i]);
            if (width > widths[i] && width < 24)
                widths[i] = width;
        }
    }
}

static void print_row(FILE *to, const row *r, int label, const size_t widths[TS_MAX_DIMS])
{
    visible_print(to, "    %-*s", r->count ? label : 0, r->label);
    for (unsigned i = 0; i < r->count; ++i)
        visible_print(to, "  %*s", (int)widths[i], r->cells[i]);
    putc('\n', to);
    if (!r->clauses[0] || r->count == 0)
        return;
    visible_print(to, "    %*s", label, "");
    for (unsigned i = 0; i < r->count; ++i) {
        int blanks = 2 + (int)widths[i], carets = r->marked[i] ? (int)strlen(r->cells[i]) : 0;
        visible_print(to, "%*s", blanks > carets ? blanks - carets : 0, "");
        while (carets-- > 0)
            putc('^', to);
    }
    visible_print(to, "  %s\n", r->clauses);
}

static void draw(const check_printer *p, const check_item *item)
{
    const ts_operator *op = item->d.op;
    drawing w;
    row axes = { .label = "axis" };
    size_t widths[TS_MAX_DIMS], label = strlen(axes.label);
    w.p = p;
    w.item = item;
    w.count = 0;
    for (unsigned k = 0; k < op->tensor_count; ++k)
        tensor_rows(&w, k);
    for (unsigned k = 0; k < op->attr_count; ++k)
        attr_row(&w, k);
    for (unsigned k = 0; k < w.count; ++k) {
        axes.count = w.rows[k].count > axes.count ? w.rows[k].count : axes.count;
        label = strlen(w.rows[k].label) > label ? strlen(w.rows[k].label) : label;
    }
    for (unsigned i = 0; i < axes.count; ++i)
        snprintf(axes.cells[i], sizeof axes.cells[i], "%u", i);
    column_widths(&w, widths);
    print_row(p->to, &axes, (int)label, widths);
    for (unsigned k = 0; k < w.count; ++k)
        print_row(p->to, &w.rows[k], (int)label, widths);
}

/* ---- for people -------------------------------------------------------------------------------------------- */

/* Of a clause that binds nobody, and that no implementation is known to refuse in every case: what is known of them. */
static void print_known(check_printer *p, const check_item *item, const ts_clause *clause)
{
    const ledger_entry *entry = ledger_of_clause(item->d.op->name, clause->id);
    visible_print(p->to, "          open:   nothing published says whether this is legal\n");
    for (size_t i = 0; entry && i < LEDGER_ANSWERS && entry->answers[i].implementation; ++i)
        visible_print(p->to, "          known:  %s%s%s: %s\n", entry->answers[i].implementation,
                      entry->answers[i].version ? " " : "", entry->answers[i].version ? entry->answers[i].version : "",
                      entry->answers[i].answer);
}

static void print_violation(check_printer *p, const check_item *item, unsigned i)
{
    const ts_violation *v = &p->report.items[i];
    const ts_clause *clause = operator_clause(item->d.op, v->clause);
    const bool plain = v->result == TS_RESULT_INVALID || strncmp(v->clause, "BIND-", 5) == 0; /* the name says it */
    const char *by = check_refused_by(item->d.op, v);
    const bool open = v->result == TS_RESULT_OPEN;
    const char *name = plain ? "" : check_violation_name(p, item, v);
    const char *kind = strcmp(name, "beyond") == 0             ? "beyond what Touchstone judges"
                       : open && check_allows(p->o, v->clause) ? "warning, allowed"
                       : open                                  ? "warning"
                                                               : name;
    check_place place = check_violation_place(item, v);
    char legal[512];
    visible_print(p->to, "  %-6s  ", v->clause);
    if (place.line && (place.line != item->place.line || place.column != item->place.column))
        visible_print(p->to, "%zu:%zu: ", place.line, place.column);
    visible_print(p->to, "%s%s%s\n", kind, *kind ? ": " : "", v->text);
    for (unsigned j = 0; j < i && clause; ++j) { /* the text is printed with the first violation of a clause */
        if (strcmp(p->report.items[j].clause, v->clause) == 0)
            clause = NULL;
    }
    if (clause)
        visible_print(p->to, "          clause: %s\n          page:   %s, %s\n", clause->text,
                      operator_clause_page(item->d.op, clause, v->tensor), clause->section);
    if (clause && by)
        visible_print(p->to, "          %s refuses this; the page does not say so\n", by);
    else if (clause && open)
        print_known(p, item, clause);
    check_violation_legal(item, &p->report, v, legal, sizeof legal);
    const char *first = check_violation_follows(item, &p->report, v);
    if (legal[0])
        visible_print(p->to, "          legal:  %s\n", legal);
    else if (first)
        visible_print(p->to, "          first:  mend %s, of which this may be a consequence\n", first);
}

/* Print the clauses that make an item what it is, once each: beside those that make it invalid, open ones do not. */
static void join_clauses(const ts_report *report, char *buf, size_t size)
{
    size_t used = 0;
    buf[0] = 0;
    for (unsigned i = 0; i < report->count; ++i) {
        const ts_violation *v = &report->items[i];
        if (!evaluate_names_clause(report, i) || v->result == TS_RESULT_UNSPECIFIED ||
            (v->result == TS_RESULT_OPEN && operator_graver(report->worst, TS_RESULT_OPEN)))
            continue;
        int n = snprintf(buf + used, size - used, "%s%s", used ? " " : "", v->clause);
        if (n < 0 || (size_t)n >= size - used)
            return;
        used += (size_t)n;
    }
}

/* Print a row for each range of levels with the same result. */
static void print_levels(check_printer *p, const check_item *item)
{
    size_t count, first = 0;
    const ts_level *levels = tensor_levels(&count);
    char clauses[160], before[160] = "";
    evaluate_status last = EVALUATE_OK;
    fputs("  feature levels\n", p->to);
    for (size_t i = 0; i <= count; ++i) {
        evaluate_status status = EVALUATE_OK;
        clauses[0] = 0;
        if (i < count) {
            check_judge_item(item, p->o, levels[i], &p->at_level);
            status = check_status(&p->at_level);
            join_clauses(&p->at_level, clauses, sizeof clauses);
        }
        if (i > 0 && (i == count || status != last || strcmp(clauses, before) != 0)) {
            const char *to = i - 1 > first ? tensor_level_name(levels[i - 1]) : "";
            visible_print(p->to, "    %s%s%-*s  %s%s%s\n", tensor_level_name(levels[first]), *to ? " to " : "",
                          *to ? 3 : 7, to, check_item_status(item, last), *before ? ": " : "", before);
            first = i;
        }
        last = status;
        memcpy(before, clauses, sizeof before);
    }
}

/* Print a name from a file, with control characters replaced. */
static void put_name(FILE *to, const char *name)
{
    for (; *name; ++name)
        putc((unsigned char)*name < 0x20 || *name == 0x7f ? '?' : *name, to);
}

static color color_of_status(const char *word)
{
    return strcmp(word, "valid") == 0 ? COLOR_GOOD : strcmp(word, "invalid") == 0 ? COLOR_BAD : COLOR_OPEN;
}

/* The fields that cannot be read, and the outputs that were inferred. */
static void print_gaps(check_printer *p, const check_item *item)
{
    char text[256];
    for (unsigned i = 0; i < item->gaps.mistake_count; ++i) {
        check_place place = check_mistake_place(item, &item->gaps.mistakes[i]);
        visible_print(p->to, "  unreadable  ");
        if (place.line)
            visible_print(p->to, "%zu:%zu: ", place.line, place.column);
        put_name(p->to, item->gaps.mistakes[i].text);
        putc('\n', p->to);
        if (item->gaps.mistakes[i].taken[0])
            visible_print(p->to, "  note: %s is judged as %s\n", item->gaps.mistakes[i].key,
                          item->gaps.mistakes[i].taken);
    }
    if (item->gaps.mistakes_dropped)
        visible_print(p->to, "  and %u more\n", item->gaps.mistakes_dropped);
    for (unsigned k = 0; k < item->d.op->tensor_count; ++k) {
        check_inferred(item, k, text, sizeof text);
        if (text[0])
            visible_print(p->to, "  note: %s\n", text);
    }
}

static void print_not_judged(check_printer *p, const check_item *item)
{
    char text[256];
    check_not_judged(item, text, sizeof text);
    if (text[0])
        visible_print(p->to, "  not judged: the clauses that depend on %s\n", text);
}

void check_print_text(check_printer *p, const check_item *item, evaluate_status status)
{
    FILE *to = p->to;
    if (p->items > 1)
        putc('\n', to);
    visible_print(to, "%s:", item->file);
    if (item->place.line)
        visible_print(to, "%zu:%zu:", item->place.line, item->place.column);
    else
        visible_print(to, "[%zu]:", item->index);
    putc(' ', to);
    if (item->name) {
        put_name(to, item->name);
        fputs(": ", to);
    }
    if (item->op_name) {
        put_name(to, item->op_name);
        fputs(": ", to);
    }
    const char *word = check_print_status(p, item, status);
    color_print(to, color_of_status(word), "%s", strcmp(word, "beyond") == 0 ? "beyond what Touchstone judges" : word);
    visible_print(to, "%s\n",
                  item->judge && !item->undecided && status == EVALUATE_OK ? " as far as the file shows" : "");
    if (item->broken) {
        fputs("  unreadable  ", to);
        put_name(to, item->broken);
        putc('\n', to);
    } else if (item->note[0]) {
        fputs("  note: ", to);
        put_name(to, item->note);
        putc('\n', to);
    }
    if (!item->known || !item->judged) {
        check_print_findings(p, item);
        return;
    }
    print_gaps(p, item);
    draw(p, item);
    for (unsigned i = 0; i < p->report.count; ++i)
        print_violation(p, item, i);
    if (p->report.dropped)
        visible_print(to, "  and %u more\n", p->report.dropped);
    check_print_findings(p, item);
    print_not_judged(p, item);
    if (p->report.count)
        visible_print(to, "  see %s\n", item->d.op->page);
    if (check_all_levels(p, item))
        print_levels(p, item);
}

void check_print_begin(check_printer *p)
{
    if (p->format == CHECK_JSON)
        putc('[', p->to);
    else if (p->format == CHECK_SARIF)
        check_print_sarif_begin(p);
}

/* Print "N WHAT" with a separator before it, where N is not 0. */
static void print_count(FILE *to, size_t count, const char *what, const char **between)
{
    if (count == 0)
        return;
    visible_print(to, "%s%zu %s", *between, count, what);
    *between = ", ";
}

static void print_unknown_names(const check_printer *p)
{
    for (size_t i = 0; i < p->name_count; ++i) {
        fputs(i ? ", " : " (", p->to);
        put_name(p->to, p->names[i].name);
        visible_print(p->to, " %zu", p->names[i].count);
    }
    fputs(p->name_count ? ")" : "", p->to);
}

static void print_summary(const check_printer *p)
{
    size_t open = check_print_open(p);
    const char *between = ": ";
    fputs(p->items ? "\n" : "", p->to);
    visible_print(p->to, "%zu descriptor%s: %zu valid", p->items, p->items == 1 ? "" : "s", p->valid);
    if (p->invalid)
        visible_print(p->to, ", %zu invalid", p->invalid);
    if (p->unsupported)
        visible_print(p->to, ", %zu unsupported", p->unsupported);
    if (p->open)
        visible_print(p->to, ", %zu open", p->open);
    if (p->refused)
        visible_print(p->to, ", %zu refused", p->refused);
    putc('\n', p->to);
    if (open > 0) {
        visible_print(p->to, "%zu not fully judged", open);
        print_count(p->to, p->undecided, "undecided", &between);
        print_count(p->to, p->unreadable, "unreadable", &between);
        print_count(p->to, p->unknown, p->unknown == 1 ? "of an unknown operator" : "of unknown operators", &between);
        print_unknown_names(p);
        print_count(p->to, p->beyond, "beyond what Touchstone judges", &between);
        putc('\n', p->to);
    }
    if (p->bad_files)
        visible_print(p->to, "%zu file%s not readable\n", p->bad_files, p->bad_files == 1 ? "" : "s");
}

size_t check_print_open(const check_printer *p)
{
    return p->undecided + p->unreadable + p->unknown + p->beyond;
}

void check_print_file(check_printer *p, const char *path, const error *e)
{
    static check_item item; /* static because it is large; only the members set here are used */
    item.file = strcmp(path, "-") == 0 ? "standard input" : path;
    item.index = 0;
    check_item_begin(&item, (check_place){ 0, 0 });
    check_item_break(&item, e);
    p->bad_files++;
    p->worst = CHECK_UNREADABLE;
    if (p->format == CHECK_JSON)
        check_print_json(p, &item, EVALUATE_OK);
    else if (p->format == CHECK_SARIF)
        check_print_sarif(p, &item, EVALUATE_OK);
}

void check_print_end(check_printer *p)
{
    switch (p->format) {
    case CHECK_TEXT: print_summary(p); break;
    case CHECK_JSON: fputs(p->results ? "\n]\n" : "]\n", p->to); break;
    case CHECK_SARIF: check_print_sarif_end(p); break;
    case CHECK_QUIET: break;
    }
}
