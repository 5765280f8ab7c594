/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/print_parts.h"
#include "harness/base/timestamp.h"
#include "harness/base/visible.h"
#include "harness/store/summary.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void print_region(const group *g, size_t i, const char *indent, FILE *out)
{
    const group_part *p = &g->parts[i];
    visible_print(out, "%s'%s'", indent, p->query);
    if (g->part_count > 1 || p->others)
        visible_print(out, "  (%" PRIu64 " of these cases%s", p->cases, p->others ? "" : ")");
    if (p->others)
        visible_print(out, ", and %" PRIu64 " other case%s)", p->others, p->others == 1 ? "" : "s");
    visible_print(out, "\n");
}

json_t *print_regions_json(const group *g)
{
    json_t *list = json_array();
    for (size_t i = 0; i < g->part_count; ++i) {
        const group_part *p = &g->parts[i];
        json_array_append_new(list, json_pack("{s:s, s:I, s:I}", "query", p->query, "cases", (json_int_t)p->cases,
                                              "others", (json_int_t)p->others));
    }
    return list;
}

static const char *value_of(store *s, const char *key)
{
    return strcmp(key, STORE_STATE) == 0 ? summary_state(s) : store_get(s, key);
}

void print_run_facts(store *s, bool started, FILE *out)
{
    const char *const keys[] = { STORE_BACKEND, STORE_BACKEND_VERSION,          STORE_BACKEND_OPTIONS,
                                 STORE_LEVEL,   started ? STORE_STARTED : NULL, STORE_STATE };
    char at[TIMESTAMP_SIZE], version[256] = "";
    const char *own = store_get(s, STORE_BACKEND_VERSION);
    snprintf(version, sizeof version, "%s", own ? own : "");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i) {
        const char *value = keys[i] ? value_of(s, keys[i]) : NULL;
        /* of a backend whose version is its options, these are not repeated */
        if (value && *value && strcmp(value, "complete") != 0 &&
            !(strcmp(keys[i], STORE_BACKEND_OPTIONS) == 0 && strcmp(value, version) == 0))
            visible_print(out, " %s",
                          strcmp(keys[i], STORE_STARTED) == 0 ? timestamp_short(value, at, sizeof at) : value);
    }
}

void print_run_facts_json(json_t *to, store *s)
{
    static const char *const keys[] = { STORE_BACKEND, STORE_BACKEND_VERSION, STORE_BACKEND_OPTIONS, STORE_LEVEL,
                                        STORE_STARTED, STORE_STATE,           STORE_SUITE_DIGEST,    STORE_DIGEST };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i) {
        const char *value = s ? value_of(s, keys[i]) : NULL;
        json_object_set_new(to, keys[i], value ? json_string(value) : json_null());
    }
}
