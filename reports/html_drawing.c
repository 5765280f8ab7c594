/* SPDX-License-Identifier: Apache-2.0 */
/* Draws the tensors of a finding as grids. Marked are the elements that differ, the element of the input that should
   have been read, and the one that was: each by a colour, a frame and a sign, which the legend explains. */
#include "reports/html_parts.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DIMS = 8, MAX_RENDERED = 1024 };

/* The signs. */
#define RIGHT "\xE2\x9C\x93" /* should be read */
#define READ  "\xE2\x9C\x97" /* was read */
#define VALUE "\xE2\x89\xA0" /* is the right element, and came with another value */
#define ARROW "\xE2\x86\x92"

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
    int64_t right;  /* the element that should have been read, or -1 */
    int64_t source; /* the element that was read, or -1 */
    bool differs;   /* an element that was drawn differs */
} grid;

/* What the legend has to explain. */
typedef struct drawing {
    const store_finding *f;
    const char *right; /* the element that should have been read: "InputTensor[1,1]"; NULL if it is not known */
    bool differs;      /* some element drawn differs */
    bool first;        /* the first of them is framed */
    bool marked_right, marked_source, marked_value;
} drawing;

static const char *text_of(json_t *value, char *buffer, size_t size)
{
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

/* The expected value as text: several as "5|7"; NULL where any value is allowed. *met: `value` is as expected. */
static const char *expected_text(json_t *expected, const char *value, char *buffer, size_t size, bool *met)
{
    size_t used = 0;
    *met = false;
    if (!json_is_array(expected)) {
        const char *only = text_of(expected, buffer, size);
        *met = !only || (value && strcmp(value, only) == 0);
        return only;
    }
    for (size_t i = 0; i < json_array_size(expected) && used < size; ++i) {
        char room[64];
        const char *one = text_of(json_array_get(expected, i), room, sizeof room);
        *met = *met || (one && value && strcmp(value, one) == 0);
        used += (size_t)snprintf(buffer + used, size - used, "%s%s", i ? "|" : "", one ? one : "?");
    }
    return buffer;
}

/* The class and the sign of an element of an input. */
static const char *class_of_input(const grid *d, int64_t i, const char **sign)
{
    const bool right = i == d->right, source = i == d->source;
    *sign = right && source ? VALUE : right ? RIGHT : source ? READ : NULL;
    return right && source ? "gs" : right ? "g" : source ? "s" : NULL;
}

static void add_cell(text *t, grid *d, size_t i)
{
    char a[32], b[200] = "";
    bool met = true;
    const char *value = text_of(json_array_get(d->values, i), a, sizeof a), *sign;
    const char *expected =
        d->expected ? expected_text(json_array_get(d->expected, i), value, b, sizeof b, &met) : value;
    const bool wrong = !met;
    const char *marked = class_of_input(d, (int64_t)i, &sign);
    const char *class = wrong ? ((int64_t)i == d->first ? "w f" : "w") : !expected ? "u" : marked;
    text_add(t, "<td");
    if (class)
        text_format(t, strchr(class, ' ') ? " class=\"%s\"" : " class=%s", class);
    text_add(t, ">");
    if (wrong) {
        d->differs = true;
        text_xml(t, expected);
        text_add(t, "<b>" ARROW);
        text_xml(t, value ? value : "?");
        text_add(t, "</b>");
        return;
    }
    if (sign && class)
        text_format(t, "<i>%s</i>", sign);
    text_xml(t, value ? value : "\xC2\xB7");
}

/* The last two dimensions form a grid; there is one grid for each index of the dimensions before them. */
static void add_slices(text *t, grid *d)
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

/* The index of the element of this tensor that a text names: "InputTensor[0,1]"; -1 if it names none. */
static int64_t named_element(const char *named, const char *name, const grid *d)
{
    const size_t length = name ? strlen(name) : 0;
    char coordinates[160];
    if (!named || !name || strncmp(named, name, length) != 0)
        return -1;
    const char *end = strchr(named + length, ']'); /* ", but its sign bit was lost" may follow */
    if (!end || (size_t)(end + 1 - named) - length >= sizeof coordinates)
        return -1;
    snprintf(coordinates, sizeof coordinates, "%.*s", (int)(end + 1 - named - (ptrdiff_t)length), named + length);
    return flat_index(coordinates, d->sizes, d->rank);
}

/* Find the elements to mark, and note what the legend must explain. */
static void find_marks(drawing *own, grid *d, const char *name)
{
    if (d->expected) {
        if (own->f->tensor && name && strcmp(own->f->tensor, name) == 0)
            d->first = flat_index(own->f->element, d->sizes, d->rank);
        return;
    }
    d->right = named_element(own->right, name, d);
    d->source = named_element(own->f->source, name, d);
    if (d->right >= 0 && d->right == d->source) {
        own->marked_value = true;
    } else {
        own->marked_right |= d->right >= 0;
        own->marked_source |= d->source >= 0;
    }
}

static void add_tensor(text *t, drawing *own, json_t *tensor)
{
    grid d = { .values = json_object_get(tensor, "values"),
               .expected = json_object_get(tensor, "expected"),
               .first = -1,
               .right = -1,
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
    text_add(t, d.expected && !d.values ? "], expected</figcaption>" : "]</figcaption>");
    if (!d.values) { /* the backend gave no result */
        d.values = d.expected;
        d.expected = NULL;
    }
    if (d.count != product || product > MAX_RENDERED) {
        text_add(t, "<p class=\"note\">too large to show</p>");
    } else if (product == 0) {
        text_add(t, "<p class=\"note\">empty</p>");
    } else {
        find_marks(own, &d, name);
        add_slices(t, &d);
        own->differs |= d.differs;
        own->first |= d.differs && d.first >= 0;
    }
    text_add(t, "</figure>");
}

/* ---- the legend ---- */

static void add_key(text *t, const char *class, const char *sign, const char *meaning, const char *what)
{
    text_format(t, "<li><span class=\"key %s\"><i>%s</i></span>%s", class, sign, meaning);
    html_element(t, ": <b>", what, "</b>");
    text_add(t, "</li>");
}

static void add_legend(text *t, const drawing *own)
{
    const char *source = own->f->source;
    if (!own->differs && !own->marked_right && !own->marked_source && !own->marked_value)
        return;
    text_add(t, "<ul class=\"legend\" aria-label=\"Legend\">");
    if (own->marked_value) {
        add_key(t, "gs", VALUE, "should be read, and was: the right element came with another value", source);
    } else {
        if (own->marked_right)
            add_key(t, "g", RIGHT, "should be read", own->right);
        if (own->marked_source)
            add_key(t, "s", READ, "was read", source);
        else if (own->marked_right)
            html_element(t, "<li>what came: <b>", source, "</b></li>");
    }
    if (own->differs)
        text_format(t, "<li><span class=\"key w%s\">a<b>" ARROW "b</b></span>expected " ARROW " actual%s</li>",
                    own->first ? " f" : "", own->first ? "; framed: the first element that differs" : "");
    text_add(t, "</ul>");
}

/* The element that the first differing one should come from, as the tensor with that difference says. */
static const char *expected_source(const json_t *tensors)
{
    size_t i;
    json_t *tensor;
    json_array_foreach(tensors, i, tensor)
    {
        const char *source = json_string_value(json_object_get(tensor, "expected_source"));
        if (source)
            return source;
    }
    return NULL;
}

void html_drawing(text *t, const store_finding *f, const json_t *tensors)
{
    drawing own = { .f = f, .right = expected_source(tensors) };
    if (json_array_size(tensors) == 0)
        return;
    text_add(t, "<div class=\"tensors\">");
    for (size_t i = 0; i < json_array_size(tensors); ++i)
        add_tensor(t, &own, json_array_get(tensors, i));
    text_add(t, "</div>");
    add_legend(t, &own);
}
