/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/execute/option_operators.h"

#include "harness/base/text.h"
#include "harness/model/listed.h"
#include "reference/operators.h"

#include <stdio.h>
#include <string.h>

#define NAMED 4 /* operators that a message names */

/* Is each word of a list the name of an operator? */
static bool is_names(const char *words)
{
    char name[64];
    int used = 0;
    for (; sscanf(words, " %63s%n", name, &used) == 1; words += used)
        if (!operators_find_known(name))
            return false;
    return true;
}

/* Is it a list of operators (listed.h), or a text about the option? */
static bool is_list(const char *words)
{
    const char *named = listed_behind(words, LISTED_CHECKED), *all = listed_behind(named, LISTED_ALL);
    return *words && is_names(all == named ? named : listed_behind(all, LISTED_BUT));
}

/* Write the operators that the line about an option's value lists. False: there is no such line, or it lists none. */
static bool find_list(const char *lines, const ts_option *o, text *list)
{
    const size_t key = strlen(o->key), value = strlen(o->value);
    for (const char *line = lines, *end; line && *line; line = end + (*end == '\n')) {
        end = line + strcspn(line, "\n");
        if (strncmp(line, o->key, key) != 0 || line[key] != '=' || strncmp(line + key + 1, o->value, value) != 0 ||
            line[key + 1 + value] != ' ')
            continue;
        line += key + 1 + value;
        line += strspn(line, " ");
        const size_t length = strcspn(line, ":\n");
        if (line[length] != ':')
            continue;
        list->length = 0;
        text_bytes(list, line, length);
        if (!list->failed && is_list(list->data))
            return true;
    }
    return false;
}

/* The operators of the plan as a message names them: "dml.join, dml.slice1 and 7 more". */
static void name_operators(const plan *p, text *t)
{
    for (size_t i = 0; i < p->file_count && i < NAMED; ++i)
        text_format(t, "%s%s", i ? ", " : "", p->operators[i]);
    if (p->file_count > NAMED)
        text_format(t, " and %zu more", p->file_count - NAMED);
}

/* Is an operator of the plan in the list? */
static bool has_selected(const char *list, const plan *p)
{
    for (size_t i = 0; i < p->file_count; ++i)
        if (listed_has(list, p->operators[i], operator_computes(operators_find_known(p->operators[i]))))
            return true;
    return false;
}

bool option_operators_check(plugin *p, const char *name, const ts_option *options, size_t option_count, const plan *of,
                            error *e)
{
    bool fine = true;
    text list = { .data = NULL }, selected = { .data = NULL };
    const char *lines = option_count && of->file_count ? plugin_describe_options(p) : NULL;
    for (size_t i = 0; fine && lines && i < option_count; ++i) {
        if (!find_list(lines, &options[i], &list) || has_selected(list.data, of))
            continue;
        name_operators(of, &selected);
        fine = error_usage(e,
                           "%.60s=%.60s of backend %.100s is for %.400s, and the queries select %.200s alone; "
                           "'touchstone backends %.100s -v' lists what each value is for",
                           options[i].key, options[i].value, name, list.data,
                           selected.failed ? "others" : selected.data, name);
    }
    text_free(&list);
    text_free(&selected);
    return fine;
}
