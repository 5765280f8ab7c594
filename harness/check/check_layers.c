/* SPDX-License-Identifier: Apache-2.0 */
/* The layers of an IR that are not judged, by type and opset. */
#include "harness/base/text.h"
#include "harness/base/visible.h"
#include "harness/check/check_print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- counting ---------------------------------------------------------------------------------------------------- */

void check_layers_add(check_layers *l, const char *type, const char *opset, check_place place)
{
    static const char *const data[] = { "Parameter", "Const", "Result" };
    check_layer_kind kind = { .count = 1, .place = place };
    size_t i = 0;
    for (size_t k = 0; k < sizeof data / sizeof data[0]; ++k)
        if (strcmp(type, data[k]) == 0)
            return;
    snprintf(kind.type, sizeof kind.type, "%.63s", type);
    snprintf(kind.opset, sizeof kind.opset, "%.31s", opset ? opset : "");
    l->total++;
    while (i < l->count && (strcmp(l->list[i].type, kind.type) != 0 || strcmp(l->list[i].opset, kind.opset) != 0))
        ++i;
    if (i == CHECK_MAX_LAYER_KINDS)
        return;
    l->named++;
    if (i < l->count)
        l->list[i].count++;
    else
        l->list[l->count++] = kind;
}

static int compare_kinds(const void *a, const void *b)
{
    const check_layer_kind *x = a, *y = b;
    const int order = x->count != y->count ? (x->count < y->count) - (x->count > y->count) : strcmp(x->type, y->type);
    return order ? order : strcmp(x->opset, y->opset);
}

void check_layers_sort(check_layers *l)
{
    qsort(l->list, l->count, sizeof l->list[0], compare_kinds);
}

/* ---- printing ---------------------------------------------------------------------------------------------------- */

/* "5 Convolution (opset1)", "1 Gathr (opset8; did you mean Gather?)" */
static void add_kind(text *t, const check_layer_kind *kind)
{
    text_format(t, "%zu ", kind->count);
    text_visible(t, kind->type);
    text_add(t, kind->opset[0] || kind->hint[0] ? " (" : "");
    text_visible(t, kind->opset);
    text_add(t, kind->opset[0] && kind->hint[0] ? "; " : "");
    text_add(t, kind->hint);
    text_add(t, kind->opset[0] || kind->hint[0] ? ")" : "");
}

static void print_text(check_printer *p, const check_item *item)
{
    const check_layers *l = item->layers;
    text t = { 0 };
    for (size_t i = 0; i < l->count; ++i) {
        text_add(&t, i ? ", " : "");
        add_kind(&t, &l->list[i]);
    }
    if (l->total > l->named)
        text_format(&t, ", and %zu of other types", l->total - l->named);
    if (p->items) /* visible_print would show the end of a line that is an argument */
        putc('\n', p->to);
    visible_print(p->to, "%s: %zu layer%s not judged: %s\n", item->file, l->total, l->total == 1 ? " is" : "s are",
                  t.data ? t.data : "");
    text_free(&t);
}

static void print_json(check_printer *p, const check_item *item)
{
    const check_layers *l = item->layers;
    fputs(p->results++ ? ",\n{\"file\":" : "\n{\"file\":", p->to);
    text_print_json(p->to, item->file);
    fprintf(p->to, ",\"status\":\"" CHECK_NOT_JUDGED "\",\"count\":%zu,\"layers\":[", l->total);
    for (size_t i = 0; i < l->count; ++i) {
        fputs(i ? ",{\"type\":" : "{\"type\":", p->to);
        text_print_json(p->to, l->list[i].type);
        if (l->list[i].opset[0]) {
            fputs(",\"opset\":", p->to);
            text_print_json(p->to, l->list[i].opset);
        }
        if (l->list[i].hint[0]) {
            fputs(",\"hint\":", p->to);
            text_print_json(p->to, l->list[i].hint);
        }
        fprintf(p->to, ",\"count\":%zu,\"line\":%zu,\"column\":%zu}", l->list[i].count, l->list[i].place.line,
                l->list[i].place.column);
    }
    fputs("]}", p->to);
}

static void print_sarif(check_printer *p, const check_item *item)
{
    const check_layers *l = item->layers;
    for (size_t i = 0; i < l->count; ++i) {
        text t = { 0 };
        add_kind(&t, &l->list[i]);
        text_add(&t, l->list[i].count == 1 ? ": the layer is not judged" : ": the layers are not judged");
        check_print_sarif_note(p, item, CHECK_NOT_JUDGED, t.data ? t.data : "", l->list[i].place);
        text_free(&t);
    }
}

void check_print_layers(check_printer *p, const check_item *item)
{
    switch (p->format) {
    case CHECK_TEXT: print_text(p, item); break;
    case CHECK_JSON: print_json(p, item); break;
    case CHECK_SARIF: print_sarif(p, item); break;
    case CHECK_QUIET: break;
    }
}
