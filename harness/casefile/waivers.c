/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/waivers.h"

#include "harness/base/input.h"
#include "harness/base/did_you_mean.h"
#include "harness/base/platform.h"
#include "harness/base/text.h"
#include "harness/casefile/lua_json.h"
#include "harness/casefile/sandbox.h"

#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static const char *const fields[] = { "query", "reason", "owner", "link", "expires" };
enum { FIELD_QUERY, FIELD_REASON, FIELD_OWNER, FIELD_LINK, FIELD_EXPIRES, FIELDS };

bool waivers_is_lua(const char *path)
{
    return text_ends_in(path, ".lua");
}

/* ---- reading ---- */

static int take_list(lua_State *lua)
{
    json_t **list = lua_touserdata(lua, 1);
    if (!lua_istable(lua, 2))
        luaL_error(lua, "it returns %s%s, where a list of waivers belongs", lua_isnil(lua, 2) ? "nothing" : "a ",
                   lua_isnil(lua, 2) ? "" : luaL_typename(lua, 2));
    *list = json_incref(lua_json_convert(lua, 2, 0, "the list of waivers"));
    return 0;
}

typedef struct script {
    sandbox s;
    const char *path;
    json_t *list;
    error *e;
} script;

static void run_script(void *context)
{
    script *r = context;
    if (sandbox_share(&r->s, r->path, r->e) && sandbox_run_file(&r->s, r->path, r->path, 0, 1, r->e) &&
        !sandbox_call(&r->s, take_list, &r->list, 1, r->e))
        error_prefix(r->e, "%s", r->path);
}

static json_t *load_lua(const char *path, error *e)
{
    script r = { .path = path, .e = e };
    if (!sandbox_open(&r.s, SANDBOX_MEMORY, SANDBOX_STEPS, e))
        return NULL;
    if (sandbox_trial(path, run_script, &r, SANDBOX_SECONDS, e))
        run_script(&r);
    sandbox_close(&r.s);
    return r.list;
}

/* A file, and how much of it may still be read. */
typedef struct limited_file {
    FILE *file;
    size_t left;
    bool too_long;
} limited_file;

static size_t read_limited(void *to, size_t size, void *context)
{
    limited_file *from = context;
    size_t n = fread(to, 1, size, from->file);
    from->too_long = n > from->left;
    if (from->too_long)
        return (size_t)-1;
    from->left -= n;
    return n;
}

static json_t *load_json(const char *path, error *e)
{
    json_error_t at;
    FILE *f = input_open(path, e);
    if (!f)
        return NULL;
    limited_file from = { f, WAIVERS_BYTES, false };
    json_t *list = json_load_callback(read_limited, &from, JSON_REJECT_DUPLICATES, &at);
    fclose(f);
    if (from.too_long)
        error_usage(e, "%s: is longer than %zu MiB", path, WAIVERS_BYTES >> 20);
    else if (!list)
        error_usage(e, "%s:%d: %s", path, at.line, at.text);
    return list;
}

/* "2027-03-31", a day that there is. */
static bool is_day(const char *string)
{
    static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    int year, month, day, used = 0;
    if (strlen(string) != 10 || strspn(string, "0123456789-") != 10 ||
        sscanf(string, "%4d-%2d-%2d%n", &year, &month, &day, &used) != 3 || used != 10 || string[4] != '-' ||
        string[7] != '-' || month < 1 || month > 12 || day < 1)
        return false;
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return day <= days[month - 1] + (month == 2 && leap);
}

static char *copy_of(const char *string)
{
    char *copy = malloc(strlen(string) + 1);
    return copy ? strcpy(copy, string) : NULL;
}

static bool read_waiver(const json_t *record, waiver *out, const char *today, error *e)
{
    static const did_you_mean_names known = { .names = { "query", "reason", "owner", "link", "expires" },
                                              .count = FIELDS };
    const char *texts[FIELDS], *key;
    json_t *value;
    if (!json_is_object(record))
        return error_usage(e, "a waiver is a record { query, reason, owner, link, expires }");
    json_object_foreach((json_t *)(uintptr_t)record, key, value)
    {
        size_t i = 0;
        while (i < FIELDS && strcmp(key, fields[i]) != 0)
            ++i;
        if (i == FIELDS)
            return did_you_mean_unknown(e, "its fields", "field", key, &known);
    }
    char missing[64] = "";
    size_t used = 0, count = 0;
    for (size_t i = 0; i < FIELDS; ++i) {
        texts[i] = json_string_value(json_object_get(record, fields[i]));
        if (texts[i] && *texts[i])
            continue;
        used += (size_t)snprintf(missing + used, sizeof missing - used, "%s%s", count++ ? ", " : "", fields[i]);
    }
    if (count > 0)
        return error_usage(e, "%s %s missing, empty or no string%s", missing, count == 1 ? "is" : "are",
                           count == 1 ? "" : "s");
    if (!is_day(texts[FIELD_EXPIRES]))
        return error_usage(e, "expires is '%.20s'; expected a date such as 2027-03-31", texts[FIELD_EXPIRES]);
    memset(out, 0, sizeof *out);
    if (!query_parse(texts[FIELD_QUERY], &out->query, e))
        return false;
    snprintf(out->expires, sizeof out->expires, "%s", texts[FIELD_EXPIRES]);
    out->expired = strcmp(today, out->expires) > 0;
    out->reason = copy_of(texts[FIELD_REASON]);
    out->owner = copy_of(texts[FIELD_OWNER]);
    out->link = copy_of(texts[FIELD_LINK]);
    return out->reason && out->owner && out->link ? true : error_set(e, "out of memory");
}

static int by_query(const void *a, const void *b)
{
    const waiver *x = *(const waiver *const *)a, *y = *(const waiver *const *)b;
    int order = strcmp(x->query.text, y->query.text);
    if (order == 0)
        order = x->expired - y->expired;
    return order ? order : x < y ? -1 : x > y;
}

/* Find the waivers that repeat an earlier one. */
static bool find_duplicates(waivers *w, error *e)
{
    waiver **order = calloc(w->count + 1, sizeof *order);
    if (!order)
        return error_set(e, "out of memory");
    for (size_t i = 0; i < w->count; ++i)
        order[i] = &w->list[i];
    qsort(order, w->count, sizeof *order, by_query);
    const waiver *first = NULL;
    for (size_t i = 0; i < w->count; ++i) {
        order[i]->repeats =
            first && first->expired == order[i]->expired && strcmp(first->query.text, order[i]->query.text) == 0;
        if (order[i]->repeats)
            order[i]->original = (size_t)(first - w->list);
        else
            first = order[i];
    }
    free(order);
    return true;
}

bool waivers_load(waivers *w, const char *path, time_t now, error *e)
{
    char today[11], now_text[32];
    memset(w, 0, sizeof *w);
    platform_utc(now, now_text, sizeof now_text);
    snprintf(today, sizeof today, "%.10s", now_text);
    if (!waivers_is_lua(path) && !text_ends_in(path, ".json"))
        return error_usage(e, "%s: a file of waivers has a name that ends in .lua or .json", path);
    json_t *list = waivers_is_lua(path) ? load_lua(path, e) : load_json(path, e);
    if (!list)
        return false;
    bool fine = json_is_array(list) ? true : error_usage(e, "%s: expected a list of waivers", path);
    size_t count = fine ? json_array_size(list) : 0;
    if (count > WAIVERS_MOST) {
        fine = error_usage(e, "%s: holds %zu waivers, where %d is the most", path, count, WAIVERS_MOST);
        count = 0;
    }
    w->path = copy_of(path);
    w->list = calloc(count + 1, sizeof *w->list);
    if (!w->path || !w->list)
        fine = error_set(e, "out of memory");
    for (size_t i = 0; fine && i < count; ++i) {
        fine = read_waiver(json_array_get(list, i), &w->list[i], today, e) ||
               error_prefix(e, "%s: waiver %zu", path, i + 1);
        w->count = i + 1;
    }
    json_decref(list);
    fine = fine && find_duplicates(w, e);
    if (!fine)
        waivers_free(w);
    return fine;
}

void waivers_free(waivers *w)
{
    for (size_t i = 0; i < w->count; ++i) {
        free(w->list[i].reason);
        free(w->list[i].owner);
        free(w->list[i].link);
    }
    free(w->list);
    free(w->path);
    memset(w, 0, sizeof *w);
}

void waivers_digest(const waivers *w, char digest[33])
{
    XXH3_state_t state;
    XXH3_128bits_reset(&state);
    for (size_t i = 0; i < w->count; ++i) {
        const waiver *one = &w->list[i];
        const char *const texts[FIELDS] = { one->query.text, one->reason, one->owner, one->link, one->expires };
        for (size_t k = 0; k < FIELDS; ++k)
            XXH3_128bits_update(&state, texts[k], strlen(texts[k]) + 1);
    }
    XXH128_hash_t hash = XXH3_128bits_digest(&state);
    snprintf(digest, 33, "%016llx%016llx", (unsigned long long)hash.high64, (unsigned long long)hash.low64);
}

/* ---- writing ---- */

static void write_lua_string(const char *string, FILE *out)
{
    fputc('"', out);
    for (const unsigned char *p = (const unsigned char *)string; *p; ++p) {
        if (*p == '"' || *p == '\\')
            fprintf(out, "\\%c", *p);
        else if (*p < 0x20 || *p == 0x7f)
            fprintf(out, "\\x%02X", *p);
        else
            fputc(*p, out);
    }
    fputc('"', out);
}

bool waivers_write(const waiver *list, size_t count, bool lua, FILE *out)
{
    fputs(lua ? "return {\n" : "[\n", out);
    for (size_t i = 0; i < count; ++i) {
        const waiver *w = &list[i];
        const char *const texts[FIELDS] = { w->query.text, w->reason, w->owner, w->link, w->expires };
        fputs("  { ", out);
        for (size_t k = 0; k < FIELDS; ++k) {
            fprintf(out, lua ? "%s%s = " : "%s\"%s\": ", k ? (k == FIELD_REASON ? ",\n    " : ", ") : "", fields[k]);
            if (lua)
                write_lua_string(texts[k], out);
            else
                text_print_json(out, texts[k]);
        }
        fputs(lua || i + 1 < count ? " },\n" : " }\n", out);
    }
    fputs(lua ? "}\n" : "]\n", out);
    return !ferror(out);
}
