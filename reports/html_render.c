/* SPDX-License-Identifier: Apache-2.0 */
/* Renders one finding as HTML. page.js renders the facts of a finding in the same way: change both together. */
#include "reports/html_parts.h"
#include "reports/raw_call.h"

#include <ctype.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DIMS = 8, MAX_RENDERED = 1024, DESCRIPTOR_WIDTH = 88 };

/* ---- bits and values ----------------------------------------------------------------------------------------------
 */

/* The length of the bits in "0x40400000 (3)", or 0. */
static size_t bits_length(const char *s)
{
    size_t n = s && strncmp(s, "0x", 2) == 0 ? 2 : 0;
    while (n && isxdigit((unsigned char)s[n]))
        ++n;
    return n;
}

static void add_bits(text *t, const char *own, const char *other)
{
    size_t n = bits_length(own), m = bits_length(other);
    const char *value = own + n;
    char digit[2] = { 0 };
    text_add(t, "<td class=\"bits\">");
    for (size_t i = 0; i < n; ++i) {
        digit[0] = own[i];
        if (i >= 2 && n == m && own[i] != other[i])
            text_format(t, "<em>%s</em>", digit);
        else
            text_add(t, digit);
    }
    text_add(t, "</td><td>");
    while (*value == ' ')
        ++value;
    size_t length = strlen(value);
    if (n && length >= 2 && value[0] == '(' && value[length - 1] == ')') {
        char *inside = strdup(value + 1);
        if (inside) {
            inside[length - 2] = 0;
            text_xml(t, inside);
        } else {
            t->failed = true;
        }
        free(inside);
    } else {
        text_xml(t, value);
    }
    text_add(t, "</td>");
}

static void row(text *t, const char *name)
{
    text_format(t, "<tr><th scope=\"row\">%s</th>", name);
}

void html_finding_facts(text *t, const store_finding *f, const html_clause *clause, const entries *all)
{
    if (f->detail) {
        text_add(t, "<p class=\"detail\">");
        text_xml(t, f->detail);
        text_add(t, "</p>");
    }
    if (f->printed) {
        text_add(t, "<p class=\"note\">The last lines that the backend printed:</p><pre>");
        text_xml(t, f->printed);
        text_add(t, "</pre>");
    }
    text_add(t, "<table class=\"facts\">");
    if (f->tensor || f->element) {
        row(t, "at");
        text_add(t, "<td colspan=\"2\" class=\"mono\">");
        text_xml(t, f->tensor);
        text_xml(t, f->element);
        if (f->differing > 0) {
            text_add(t, " <span class=\"note\">");
            text_count(t, f->differing);
            text_format(t, " element%s</span>", f->differing == 1 ? " differs" : "s differ");
        }
        text_add(t, "</td></tr>");
    }
    if (f->expected) {
        row(t, "expected");
        add_bits(t, f->expected, f->actual ? f->actual : "");
        text_add(t, "</tr>");
    }
    if (f->actual) {
        row(t, "actual");
        add_bits(t, f->actual, f->expected ? f->expected : "");
        text_add(t, "</tr>");
    }
    if (f->source) {
        row(t, "source");
        text_add(t, "<td colspan=\"2\" class=\"mono\">");
        text_xml(t, f->source);
        text_add(t, "</td></tr>");
    }
    if (f->rate) {
        row(t, "failed in");
        text_add(t, "<td colspan=\"2\">");
        text_xml(t, f->rate);
        text_add(t, " executions</td></tr>");
    }
    if (f->depends) {
        row(t, "only after");
        text_add(t, "<td colspan=\"2\" class=\"mono\">");
        text_xml(t, f->depends);
        text_add(t, "</td></tr>");
    }
    if (f->shrunk) {
        row(t, "shrunk to");
        text_add(t, "<td colspan=\"2\" class=\"mono\">");
        text_xml(t, f->shrunk);
        text_add(t, "</td></tr>");
    }
    if (f->matters) {
        row(t, "what matters");
        text_add(t, "<td colspan=\"2\" class=\"mono\">");
        text_xml(t, f->matters);
        text_add(t, "</td></tr>");
    }
    if (f->clause) {
        row(t, "clause");
        text_add(t, "<td colspan=\"2\"><b>");
        text_xml(t, f->clause);
        text_add(t, "</b>");
        if (clause) {
            text_add(t, " ");
            text_xml(t, clause->text);
            if (clause->page[0] || clause->section[0]) {
                text_add(t, " <span class=\"note\">");
                text_xml(t, clause->page);
                text_add(t, clause->page[0] && clause->section[0] ? ", " : "");
                text_xml(t, clause->section);
                text_add(t, "</span>");
            }
            html_clause_entries(t, all, clause->id, " <span class=\"note\">\xC2\xB7 ledger: </span>");
        }
        text_add(t, "</td></tr>");
    }
    if (html_case_entries(t, all, f->case_id, "<tr><th scope=\"row\">ledger</th><td colspan=\"2\">"))
        text_add(t, "</td></tr>");
    text_add(t, "</table>");
}

void html_finding_reproducer(text *t, const store_finding *f)
{
    if (!f->reproducer)
        return;
    text_add(t, "<div class=\"again\"><pre>");
    text_xml(t, f->reproducer);
    text_add(t, "</pre><button type=\"button\" class=\"copy\">Copy</button></div>");
}

/* ---- tensors ------------------------------------------------------------------------------------------------------
 */

/* The row-major index of coordinates like "[1,0,2]"; -1 where they are not coordinates of this tensor. */
static int64_t flat_index(const char *coordinates, const uint64_t *sizes, size_t rank)
{
    if (!coordinates || coordinates[0] != '[')
        return -1;
    const char *p = coordinates + 1;
    uint64_t index = 0;
    for (size_t i = 0; i < rank; ++i) {
        char *end;
        uint64_t c = strtoull(p, &end, 10);
        if (end == p || c >= sizes[i] || *end != (i + 1 < rank ? ',' : ']'))
            return -1;
        index = index * sizes[i] + c;
        p = end + 1;
    }
    return (int64_t)index;
}

typedef struct grid {
    json_t *values, *expected; /* expected: NULL for inputs */
    uint64_t sizes[MAX_DIMS];
    size_t rank;
    size_t count;
    int64_t first;  /* the first element that differs, or -1 */
    int64_t source; /* the input element that was really read, or -1 */
} grid;

static const char *element(json_t *array, size_t i, char *buffer, size_t size)
{
    json_t *value = json_array_get(array, i);
    if (json_is_string(value))
        return json_string_value(value);
    if (json_is_integer(value))
        snprintf(buffer, size, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        snprintf(buffer, size, "%.9g", json_real_value(value));
    else
        return NULL;
    return buffer;
}

static void add_cell(text *t, const grid *d, size_t i)
{
    char a[32], b[32];
    const char *value = element(d->values, i, a, sizeof a);
    const char *expected = d->expected ? element(d->expected, i, b, sizeof b) : value;
    bool wrong = d->expected && expected && (!value || strcmp(value, expected) != 0);
    const char *class = wrong                     ? ((int64_t)i == d->first ? "w f" : "w")
                        : !expected               ? "u"
                        : (int64_t)i == d->source ? "s"
                                                  : NULL;
    text_add(t, "<td");
    if (class)
        text_format(t, strchr(class, ' ') ? " class=\"%s\"" : " class=%s", class);
    text_add(t, ">");
    if (wrong) {
        text_xml(t, expected);
        text_add(t, "<b>\xE2\x86\x92");
        text_xml(t, value ? value : "?");
        text_add(t, "</b>");
    } else {
        text_xml(t, value ? value : "\xC2\xB7");
    }
}

/* The last two dimensions form a grid; there is one grid for each index of the dimensions before them. */
static void add_slices(text *t, const grid *d)
{
    uint64_t columns = d->rank > 0 ? d->sizes[d->rank - 1] : 1, rows = d->rank > 1 ? d->sizes[d->rank - 2] : 1;
    uint64_t slices = columns > 0 && rows > 0 ? d->count / (columns * rows) : 0;
    text_add(t, "<div class=\"slices\">");
    for (uint64_t slice = 0; slice < slices; ++slice) {
        text_add(t, "<table class=\"grid\">");
        if (d->rank > 2) {
            uint64_t rest = slice, coord[MAX_DIMS] = { 0 };
            for (size_t i = d->rank - 2; i-- > 0;) {
                coord[i] = rest % d->sizes[i];
                rest /= d->sizes[i];
            }
            text_add(t, "<caption>[");
            for (size_t i = 0; i + 2 < d->rank; ++i)
                text_format(t, "%" PRIu64 ",", coord[i]);
            text_add(t, "\xC2\xB7,\xC2\xB7]</caption>");
        }
        for (uint64_t y = 0; y < rows; ++y) {
            text_add(t, "<tr>");
            for (uint64_t x = 0; x < columns; ++x)
                add_cell(t, d, (size_t)((slice * rows + y) * columns + x));
        }
        text_add(t, "</table>");
    }
    text_add(t, "</div>");
}

static void add_tensor(text *t, const store_finding *f, json_t *tensor)
{
    grid d = { .values = json_object_get(tensor, "values"),
               .expected = json_object_get(tensor, "expected"),
               .first = -1,
               .source = -1 };
    const char *name = json_string_value(json_object_get(tensor, "name"));
    const char *dtype = json_string_value(json_object_get(tensor, "dtype"));
    json_t *sizes = json_object_get(tensor, "sizes");
    uint64_t product = 1;
    if (!json_is_array(d.expected))
        d.expected = NULL;
    d.count = json_array_size(d.expected ? d.expected : d.values);
    d.rank = json_array_size(sizes);
    if (d.rank > MAX_DIMS)
        return;
    text_add(t, "<figure><figcaption><b>");
    text_xml(t, name);
    text_add(t, "</b> ");
    text_xml(t, dtype);
    text_add(t, " [");
    for (size_t i = 0; i < d.rank; ++i) {
        json_int_t n = json_integer_value(json_array_get(sizes, i));
        d.sizes[i] = n > 0 ? (uint64_t)n : 0;
        text_format(t, i ? ",%" PRIu64 : "%" PRIu64, d.sizes[i]);
        product = product > MAX_RENDERED || d.sizes[i] > MAX_RENDERED ? MAX_RENDERED + 1 : product * d.sizes[i];
    }
    text_add(t, "]</figcaption>");
    if (d.count != product || product > MAX_RENDERED) {
        text_add(t, "<p class=\"note\">too large to show</p>");
    } else if (product == 0) {
        text_add(t, "<p class=\"note\">empty</p>");
    } else {
        size_t length = name ? strlen(name) : 0;
        if (f->tensor && name && strcmp(f->tensor, name) == 0)
            d.first = flat_index(f->element, d.sizes, d.rank);
        if (f->source && name && strncmp(f->source, name, length) == 0)
            d.source = flat_index(f->source + length, d.sizes, d.rank);
        add_slices(t, &d);
    }
    text_add(t, "</figure>");
}

/* ---- the descriptor -----------------------------------------------------------------------------------------------
 */

static void add_json(text *t, json_t *value, int indent)
{
    char *line = json_dumps(value, JSON_ENCODE_ANY | JSON_PRESERVE_ORDER);
    if (!line) {
        t->failed = true;
        return;
    }
    bool parts = (json_is_object(value) || json_is_array(value)) && indent < 40;
    if (!parts || strlen(line) + (size_t)indent <= DESCRIPTOR_WIDTH) {
        text_xml(t, line);
        free(line);
        return;
    }
    free(line);
    const char *between = "";
    if (json_is_object(value)) {
        const char *key;
        json_t *member;
        text_add(t, "{");
        json_object_foreach(value, key, member)
        {
            text_format(t, "%s\n%*s\"", between, indent + 2, "");
            text_xml(t, key);
            text_add(t, "\": ");
            add_json(t, member, indent + 2);
            between = ",";
        }
        text_format(t, "\n%*s}", indent, "");
    } else {
        text_add(t, "[");
        for (size_t i = 0; i < json_array_size(value); ++i) {
            text_format(t, "%s\n%*s", between, indent + 2, "");
            add_json(t, json_array_get(value, i), indent + 2);
            between = ",";
        }
        text_format(t, "\n%*s]", indent, "");
    }
}

void html_finding_tensors(text *t, const store_finding *f)
{
    json_t *tensors = f->tensors ? json_loads(f->tensors, 0, NULL) : NULL;
    if (json_is_array(tensors) && json_array_size(tensors) > 0) {
        text_add(t, "<div class=\"tensors\">");
        for (size_t i = 0; i < json_array_size(tensors); ++i)
            add_tensor(t, f, json_array_get(tensors, i));
        text_add(t, "</div>");
    }
    json_decref(tensors);
    if (!f->descriptor)
        return;
    text call = { .data = NULL };
    raw_call_text(&call, f);
    if (call.data) {
        text_add(t, "<details class=\"descriptor call\"><summary>The call, as the backend got it</summary><pre>");
        text_xml(t, call.data);
        text_add(t, "</pre></details>");
    }
    text_free(&call);
    text_add(t, "<details class=\"descriptor\"><summary>Descriptor</summary><pre>");
    json_t *descriptor = json_loads(f->descriptor, JSON_DECODE_ANY, NULL);
    if (descriptor)
        add_json(t, descriptor, 0);
    else
        text_xml(t, f->descriptor);
    json_decref(descriptor);
    text_add(t, "</pre></details>");
}
