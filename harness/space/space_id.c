/* SPDX-License-Identifier: Apache-2.0 */
/* Ids of points: formatting and parsing. */
#include "harness/base/did_you_mean.h"
#include "harness/space/space_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

/* snprintf that appends and keeps counting when the buffer is full. */
static void append(char *buf, size_t size, int *used, const char *format, ...) ERROR_PRINTF(4, 5);
static void append(char *buf, size_t size, int *used, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    size_t at = (size_t)*used < size ? (size_t)*used : size;
    *used += vsnprintf(buf ? buf + at : NULL, size - at, format, args);
    va_end(args);
}

const char *space_symbol(const space_axis *axis, int64_t value)
{
    for (size_t i = 0; i < axis->symbol_count; ++i)
        if (axis->symbol_values[i] == value)
            return axis->symbols[i];
    return NULL;
}

static void append_value(char *buf, size_t size, int *used, const space_axis *axis, int64_t value)
{
    const char *symbol = space_symbol(axis, value);
    if (symbol)
        append(buf, size, used, "%s", symbol);
    else
        append(buf, size, used, "%" PRId64, value);
}

/* Does an id name the value of the axis? */
static bool is_named(const space_axis *axis, const expr_value *value)
{
    bool differs = axis->always;
    for (uint32_t k = 0; k < value->length; ++k)
        differs = differs || value->v[k] != axis->fallback;
    return differs && !axis->position;
}

static void append_parameter(char *buf, size_t size, int *used, const char *separator, const space_axis *axis,
                             const expr_value *value)
{
    append(buf, size, used, "%s%s=", separator, axis->name);
    for (uint32_t k = 0; k < value->length; ++k) {
        append(buf, size, used, "%s", k ? "." : "");
        append_value(buf, size, used, axis, value->v[k]);
    }
}

int space_format_parameter(const space_cursor *c, size_t slot, char *buf, size_t size)
{
    const space_axis *axis = space_axis_at(c->space, slot);
    int used = 0;
    append(buf, size, &used, "%s", "");
    if (is_named(axis, &c->values[slot]))
        append_parameter(buf, size, &used, "", axis, &c->values[slot]);
    return used;
}

int space_format_id(const space_cursor *c, char *buf, size_t size)
{
    const space *s = c->space;
    int used = 0;
    const char *separator = ":";
    append(buf, size, &used, "%s:%s", space_op(s), space_test(s));
    for (size_t i = 0; i < space_axis_count(s); ++i) {
        const space_axis *axis = space_axis_at(s, i);
        if (!is_named(axis, &c->values[i]))
            continue;
        append_parameter(buf, size, &used, separator, axis, &c->values[i]);
        separator = ",";
    }
    if (*separator == ':')
        append(buf, size, &used, ":%s", SPACE_ALL_DEFAULTS);
    return used;
}

const char *space_parameters(const char *parameters)
{
    return strcmp(parameters, SPACE_ALL_DEFAULTS) == 0 ? "" : parameters;
}

const char *space_parameters_of_id(const char *id)
{
    const char *colon = strrchr(id, ':');
    return colon ? space_parameters(colon + 1) : NULL;
}

/* List an axis' values for a message. */
static void describe_values(const space_axis *axis, char *buf, size_t size)
{
    int used = 0;
    for (size_t i = 0; i < axis->count && i < 24; ++i) {
        append(buf, size, &used, "%s", i ? ", " : "");
        append_value(buf, size, &used, axis, axis->values[i]);
    }
    if (axis->count > 24)
        append(buf, size, &used, ", ...");
}

/* One value of an axis as written. */
static bool parse_value(const space *s, const space_axis *axis, const char *text, size_t length, int64_t *value,
                        error *e)
{
    char word[96], values[512];
    if (length < sizeof word) {
        memcpy(word, text, length);
        word[length] = '\0';
        for (size_t i = 0; i < axis->symbol_count; ++i)
            if (strcmp(axis->symbols[i], word) == 0) {
                *value = axis->symbol_values[i];
                return true;
            }
        char *end;
        errno = 0;
        *value = strtoll(word, &end, 10);
        if (!axis->symbols && end != word && *end == '\0' && errno == 0)
            return true;
    }
    describe_values(axis, values, sizeof values);
    char hint[DID_YOU_MEAN_SIZE];
    did_you_mean d;
    snprintf(word, sizeof word, "%.*s", (int)length, text);
    did_you_mean_start(&d, word);
    for (size_t i = 0; i < axis->symbol_count; ++i)
        did_you_mean_try(&d, axis->symbols[i]);
    return error_usage(e, "%s:%s: '%.*s' is no value of axis '%s'%s; it has %s", space_op(s), space_test(s),
                       (int)length, text, axis->name, did_you_mean_hint(&d, hint), values);
}

static bool digit_of_scalar(const space *s, const space_axis *axis, int64_t value, uint32_t *digit, error *e)
{
    char values[512], word[64] = "";
    int used = 0;
    for (size_t i = 0; i < axis->count; ++i)
        if (axis->values[i] == value) {
            *digit = (uint32_t)i;
            return true;
        }
    describe_values(axis, values, sizeof values);
    append_value(word, sizeof word, &used, axis, value);
    if (value == axis->fallback)
        return error_usage(e,
                           "%s:%s: the default of axis '%s', %s, is no value of this test: add %s=VALUE, or end the "
                           "parameters with ',*' to leave the other axes free; it takes %s",
                           space_op(s), space_test(s), axis->name, word, axis->name, values);
    return error_usage(e, "%s:%s: axis '%s' does not take %s in this test; it takes %s", space_op(s), space_test(s),
                       axis->name, word, values);
}

/* The parameters of an id, as written: for each axis the text behind "axis=", or NULL. */
typedef struct parameters {
    const char *text[SPACE_MAX_AXES];
    size_t length[SPACE_MAX_AXES];
} parameters;

static bool unknown_axis(const space *s, const char *word, error *e)
{
    char names[512] = "", hint[DID_YOU_MEAN_SIZE];
    int used = 0;
    did_you_mean d;
    did_you_mean_start(&d, word);
    for (size_t i = 0; i < s->axis_count; ++i)
        if (!s->axes[i].position) {
            append(names, sizeof names, &used, "%s%s", used ? ", " : "", s->axes[i].name);
            did_you_mean_try(&d, s->axes[i].name);
        }
    return error_usage(e, "%s:%s: there is no axis '%s'%s; it has %s", s->op, s->test, word,
                       did_you_mean_hint(&d, hint), names);
}

static bool split_parameters(const space *s, const char *list, parameters *given, error *e)
{
    for (const char *p = space_parameters(list); *p;) {
        size_t item = strcspn(p, ","), name = strcspn(p, "=");
        if (name >= item)
            return error_usage(e, "%s:%s: '%.*s' is no parameter; expected axis=value, or " SPACE_ALL_DEFAULTS " alone",
                               s->op, s->test, (int)item, p);
        char word[64];
        snprintf(word, sizeof word, "%.*s", (int)name, p);
        int slot = space_axis_named(s, word);
        if (slot < 0 || s->axes[slot].position) {
            return unknown_axis(s, word, e);
        }
        if (given->text[slot])
            return error_usage(e, "%s:%s: axis '%s' is given twice", s->op, s->test, word);
        given->text[slot] = p + name + 1;
        given->length[slot] = item - name - 1;
        p += item;
        if (*p == ',')
            ++p;
    }
    return true;
}

/* The values of a vector axis: "4.1", one for each element. */
static bool parse_vector(const space *s, const space_axis *axis, const char *text, size_t size, expr_value *value,
                         error *e)
{
    const char *p = text;
    size_t left = size;
    uint32_t k = 0;
    for (; left && k < value->length; ++k) {
        size_t word = 0;
        while (word < left && p[word] != '.')
            ++word;
        if (!parse_value(s, axis, p, word, &value->v[k], e))
            return false;
        p += word;
        left -= word;
        if (left) {
            ++p;
            --left;
            if (!left)
                ++k; /* a trailing dot is one value too few */
        }
    }
    if (left || k != value->length)
        return error_usage(e, "%s:%s: axis '%s' takes %u value%s, not '%.*s'", s->op, s->test, axis->name,
                           value->length, value->length == 1 ? "" : "s joined by '.'", (int)size, text);
    return true;
}

/* The value of every axis: as given, or its default. Scalars come first, because lengths are scalars. */
static bool parse_values(const space *s, const parameters *given, space_cursor *c, error *e)
{
    for (size_t i = 0; i < s->axis_count; ++i) {
        const space_axis *axis = &s->axes[i];
        c->values[i].v[0] = axis->fallback;
        c->values[i].length = 1;
        if (axis->per == SPACE_SCALAR && given->text[i] &&
            !parse_value(s, axis, given->text[i], given->length[i], &c->values[i].v[0], e))
            return false;
    }
    for (size_t i = 0; i < s->axis_count; ++i) {
        const space_axis *axis = &s->axes[i];
        if (axis->per == SPACE_SCALAR)
            continue;
        uint32_t length = axis->per == SPACE_FIXED ? axis->fixed : (uint32_t)c->values[axis->per].v[0];
        if (length > EXPR_MAX_LENGTH)
            return error_usage(e, "%s:%s: axis '%s' would have %u elements", s->op, s->test, axis->name, length);
        c->values[i].length = length;
        for (uint32_t k = 0; k < length; ++k)
            c->values[i].v[k] = axis->position ? k + 1 : axis->fallback;
        if (given->text[i] && !parse_vector(s, axis, given->text[i], given->length[i], &c->values[i], e))
            return false;
    }
    return true;
}

static bool ruled_out(const space *s, error *e)
{
    return error_usage(e, "%s:%s: this point is ruled out by the test's predicates", s->op, s->test);
}

/* Find the block with the lengths of the cursor's values. */
static bool find_block(const space *s, space_cursor *c, error *e)
{
    for (unsigned block = 0; block < s->block_count; ++block) {
        bool same = true;
        unsigned n = 0;
        for (size_t i = 0; i < s->axis_count; ++i)
            if (s->is_length[i])
                same = same && s->blocks[block].lengths[n++] == c->values[i].v[0];
        if (same) {
            c->at.block = block;
            return true;
        }
    }
    for (size_t i = 0; i < s->axis_count; ++i) {
        uint32_t digit;
        if (s->is_length[i] && !digit_of_scalar(s, &s->axes[i], c->values[i].v[0], &digit, e))
            return false;
    }
    return ruled_out(s, e);
}

/* Find the digit of one dimension of a group: the tuple with the cursor's values. */
static bool digit_of_tuple(const space *s, const space_digit *digit, const space_cursor *c, uint32_t *found, error *e)
{
    const space_group *g = &s->groups[digit->group];
    const space_tuples *tuples = &s->blocks[c->at.block].tuples[digit->group];
    for (uint32_t t = 0; t < tuples->count; ++t) {
        bool same = true;
        for (unsigned a = 0; same && a < g->axis_count; ++a)
            same = tuples->values[(size_t)t * g->axis_count + a] == c->values[g->axes[a]].v[digit->element];
        if (same) {
            *found = t;
            return true;
        }
    }
    for (unsigned a = 0; a < g->axis_count; ++a) {
        uint32_t unused;
        if (!digit_of_scalar(s, &s->axes[g->axes[a]], c->values[g->axes[a]].v[digit->element], &unused, e))
            return false;
    }
    return error_usage(e, "%s:%s: the values at dimension %u are ruled out by the test's predicates", s->op, s->test,
                       digit->element);
}

bool space_parse_values(const space *s, const char *list, expr_value *values, error *e)
{
    space_cursor c;
    parameters given = { .text = { NULL } };
    memset(&c, 0, sizeof c);
    if (!split_parameters(s, list, &given, e) || !parse_values(s, &given, &c, e))
        return false;
    memcpy(values, c.values, sizeof c.values);
    return true;
}

bool space_find(space *s, const char *list, uint64_t *index, error *e)
{
    expr_value values[EXPR_MAX_SLOTS];
    if (!space_is_drawn(s))
        return space_parse_id(s, list, index, e);
    return space_parse_values(s, list, values, e) && space_draws_add(s, values, index, e);
}

uint64_t space_point_hash(const space *s, const expr_value *values)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < s->axis_count; ++i) {
        const space_axis *axis = &s->axes[i];
        const expr_value *value = &values[i];
        bool differs = false;
        for (uint32_t k = 0; k < value->length; ++k)
            differs = differs || value->v[k] != axis->fallback;
        if (!differs || axis->position)
            continue;
        hash = XXH3_64bits_withSeed(axis->name, strlen(axis->name), hash);
        hash = XXH3_64bits_withSeed(value->v, value->length * sizeof *value->v, hash);
    }
    return hash;
}

/* Find block and digits of the cursor's values, whether predicates allow the point or not. */
static bool locate(const space *s, space_cursor *c, error *e)
{
    if (!find_block(s, c, e))
        return false;
    const space_block *b = &s->blocks[c->at.block];
    for (unsigned d = 0; d < b->digit_count; ++d) {
        const space_digit *digit = &b->digits[d];
        const bool scalar = digit->axis >= 0;
        if (!(scalar ? digit_of_scalar(s, &s->axes[digit->axis], c->values[digit->axis].v[0], &c->at.digit[d], e)
                     : digit_of_tuple(s, digit, c, &c->at.digit[d], e)))
            return false;
    }
    return true;
}

/* Put the cursor at the point with these parameters, whether predicates allow it or not. */
static bool find_point(const space *s, const char *list, space_cursor *c, error *e)
{
    parameters given = { .text = { NULL } };
    memset(c, 0, sizeof *c);
    c->space = s;
    return split_parameters(s, list, &given, e) && parse_values(s, &given, c, e) && locate(s, c, e);
}

/* Set the values of a cursor that has block and digits. */
static void take_point(space_cursor *c, const space *s, uint64_t index)
{
    space_set_block(s, c, c->at.block);
    for (unsigned d = 0; d < s->blocks[c->at.block].digit_count; ++d)
        space_set_digit(s, c, d);
    c->index = index;
    c->new_class = true;
}

bool space_point(space_cursor *c, const space *s, const char *list, uint64_t index, error *e)
{
    if (!find_point(s, list, c, e))
        return false;
    if (!space_legal(s, c, s->blocks[c->at.block].digit_count))
        return ruled_out(s, e);
    take_point(c, s, index);
    return true;
}

/* The index of the point at block and digits of the cursor. */
static bool index_of(const space *s, space_cursor *c, uint64_t *index, error *e)
{
    const space_block *b = &s->blocks[c->at.block];
    if (space_row_find(s, c, index))
        return true;
    if (space_is_covering(s))
        return error_usage(e, "%s:%s: this point is not among the %llu chosen rows of the test", s->op, s->test,
                           (unsigned long long)space_points(s));
    if (!space_legal(s, c, b->digit_count))
        return ruled_out(s, e);
    *index = b->first;
    for (unsigned d = 0; d < b->digit_count; ++d)
        *index += c->at.digit[d] * b->digits[d].weight;
    return true;
}

bool space_parse_id(const space *s, const char *list, uint64_t *index, error *e)
{
    space_cursor c;
    return find_point(s, list, &c, e) && index_of(s, &c, index, e);
}

bool space_place(space_cursor *c, const space *s, const expr_value *values, uint64_t index, error *e)
{
    memset(c, 0, offsetof(space_cursor, pending));
    c->pending.count = 0;
    c->space = s;
    memcpy(c->values, values, s->axis_count * sizeof *values);
    c->index = index;
    c->new_class = true;
    if (space_is_drawn(s))
        return space_draws_allow(s, c->values, e);
    if (!locate(s, c, e) || !index_of(s, c, &index, e))
        return false;
    take_point(c, s, index);
    return true;
}
