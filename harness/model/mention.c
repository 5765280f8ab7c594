/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/mention.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

static size_t word(const char *text)
{
    size_t n = 0;
    while (isalnum((unsigned char)text[n]) || text[n] == '_')
        ++n;
    return n;
}

static void take_word(char *buf, size_t size, const char **text)
{
    size_t n = word(*text);
    snprintf(buf, size, "%.*s", n < size ? (int)n : (int)size - 1, *text);
    *text += n;
}

static bool same_mention(const ts_mention *a, const ts_mention *b)
{
    return a->tensor == b->tensor && a->attr == b->attr && a->index == b->index && strcmp(a->field, b->field) == 0;
}

static void add_mention(ts_mention *list, size_t *count, size_t most, const ts_mention *m)
{
    for (size_t i = 0; i < *count; ++i) {
        if (same_mention(&list[i], m))
            return;
    }
    if (*count < most)
        list[(*count)++] = *m;
}

/* The member of a list that the text goes on to name, "[1]" behind "InputTensors"; the first one without a number. */
static int take_member(const ts_tensor_list *l, const char **text)
{
    char *end;
    if (**text != '[' || !isdigit((unsigned char)(*text)[1]))
        return (int)l->first;
    const unsigned long k = strtoul(*text + 1, &end, 10);
    if (*end != ']' || k >= l->most)
        return (int)l->first;
    *text = end + 1;
    return (int)(l->first + k);
}

/* The violation's tensor and axis, unless the message names an element of an attribute instead. */
static void add_axis(const ts_violation *v, ts_mention *list, size_t *count, size_t most)
{
    ts_mention m = { v->tensor, -1, "", -1 };
    bool names_element = false, names_tensor = false;
    if (v->axis >= 0) {
        strcpy(m.field, "Sizes");
        m.index = v->axis;
    }
    for (size_t i = 0; i < *count; ++i) {
        names_element = names_element || (list[i].attr >= 0 && list[i].index >= 0);
        names_tensor = names_tensor || list[i].tensor == v->tensor;
    }
    if ((v->axis >= 0 && (names_tensor || !names_element)) || *count == 0)
        add_mention(list, count, most, &m);
}

size_t mention_list(const ts_descriptor *d, const ts_violation *v, ts_mention *list, size_t most)
{
    const char *text = v->text;
    size_t count = 0;
    char name[48];
    while (*text) {
        ts_mention m = { -1, -1, "", -1 };
        if (word(text) == 0) {
            ++text;
            continue;
        }
        take_word(name, sizeof name, &text);
        m.attr = operator_attr_index(d->op, name);
        if (m.attr < 0)
            m.tensor = operator_tensor_index(d->op, name);
        const ts_tensor_list *l = m.attr < 0 && m.tensor < 0 ? operator_list_named(d->op, name) : NULL;
        if (l)
            m.tensor = take_member(l, &text);
        if (m.attr < 0 && m.tensor < 0)
            continue;
        if (m.tensor >= 0 && *text == '.' && word(text + 1) > 0) {
            ++text;
            take_word(m.field, sizeof m.field, &text);
        }
        if (*text == '[' && isdigit((unsigned char)text[1])) {
            char *end;
            unsigned long index = strtoul(text + 1, &end, 10);
            if (*end == ']' && index < TS_MAX_DIMS)
                m.index = (int)index;
        }
        add_mention(list, &count, most, &m);
    }
    if (v->tensor >= 0)
        add_axis(v, list, &count, most);
    return count;
}

unsigned mention_index(const ts_descriptor *d, const ts_violation *v, const char *attr)
{
    ts_mention list[8];
    size_t count = mention_list(d, v, list, sizeof list / sizeof list[0]);
    int k = operator_attr_index(d->op, attr);
    for (size_t i = 0; i < count; ++i) {
        if (list[i].attr == k && list[i].index >= 0)
            return (unsigned)list[i].index;
    }
    return v->axis >= 0 ? (unsigned)v->axis : 0;
}
