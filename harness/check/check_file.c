/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/check/check_file.h"
#include "harness/base/text.h"
#include "harness/check/check_graph.h"
#include "harness/check/check_record.h"
#include "harness/check/check_tree.h"
#include "harness/casefile/sandbox.h"
#include "harness/casefile/ts_module.h"
#include "harness/check/json_scanner.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

bool check_file_named(const char *path)
{
    return strcmp(path, "-") == 0 || text_ends_like(path, ".json") || text_ends_like(path, ".jsonc") ||
           text_ends_like(path, ".lua");
}

static bool is_ir(const char *path)
{
    return text_ends_like(path, ".xml");
}

bool check_reads(const char *path)
{
    return check_file_named(path) || is_ir(path) || check_graph_named(path);
}

/* ---- Lua --------------------------------------------------------------------------------------------------- */

static int install_module(lua_State *lua)
{
    ts_module_install(lua);
    ts_module_limit(lua, SANDBOX_MEMORY);
    return 0;
}

/* Lua arguments: a json_t **, and the value that the file returned. */
static int take_records(lua_State *lua)
{
    json_t *list = *(json_t **)lua_touserdata(lua, 1);
    if (!lua_istable(lua, 2))
        luaL_error(lua, "it returns %s%s, where a record { operator, descriptor } or a list of records belongs",
                   lua_isnil(lua, 2) ? "nothing" : "a ", lua_isnil(lua, 2) ? "" : luaL_typename(lua, 2));
    lua_Integer count = (lua_Integer)lua_rawlen(lua, 2);
    for (lua_Integer i = count > 0 ? 1 : 0; i <= count; ++i) { /* no elements: the table is itself the record */
        if (i == 0)
            lua_pushvalue(lua, 2);
        else
            lua_rawgeti(lua, 2, i);
        if (json_array_append(list, ts_module_record(lua, -1)) != 0)
            luaL_error(lua, "out of memory");
        lua_settop(lua, 2);
    }
    return 0;
}

typedef struct script {
    sandbox s;
    const char *path;
    json_t *list;
    bool ok;
    error *e;
} script;

static void run_script(void *context)
{
    script *r = context;
    r->ok = sandbox_call(&r->s, install_module, NULL, 0, r->e) &&
            sandbox_run_file(&r->s, r->path, r->path, 0, 1, r->e) &&
            (sandbox_call(&r->s, take_records, &r->list, 1, r->e) || error_prefix(r->e, "%s", r->path));
}

/* The records that the file returns, always as a list. NULL on error, with file and line. */
static json_t *load_lua(const char *path, error *e)
{
    script r = { .path = path, .list = json_array(), .e = e };
    if (sandbox_open(&r.s, SANDBOX_MEMORY, SANDBOX_STEPS, e)) {
        if (sandbox_trial(path, run_script, &r, SANDBOX_SECONDS, e))
            run_script(&r);
        sandbox_close(&r.s);
    }
    if (r.ok)
        return r.list;
    json_decref(r.list);
    return NULL;
}

/* ---- opening ----------------------------------------------------------------------------------------------- */

/* Does a text begin as XML does? */
static bool is_xml(const source_text *t)
{
    static const char mark[] = "\xEF\xBB\xBF";
    const char *start = t->bytes + (strncmp(t->bytes, mark, sizeof mark - 1) == 0 ? sizeof mark - 1 : 0);
    return start[strspn(start, " \t\r\n")] == '<';
}

/* Scan the text as JSON, and evaluate its dispatches where they are wanted. */
static bool open_json(check_file *f, error *e)
{
    check_span ignored;
    bool ok = is_xml(&f->text) ? error_usage(e,
                                             "%s: XML, where JSON is expected; check reads OpenVINO IR from standard "
                                             "input and from files that end in .xml",
                                             f->text.name)
                               : json_scanner_check(&f->text, &f->root, e);
    if (ok && f->want == CHECK_DISPATCHES && json_scanner_find(&f->text, f->root, "dispatchables", &ignored)) {
        json_t *model = check_tree(&f->text, f->root, e);
        ok = model && (check_model_dispatches(model, &f->list, e) || error_prefix(e, "%s", f->text.name));
        json_decref(model);
    }
    if (!ok)
        check_file_close(f);
    return ok;
}

bool check_file_open(check_file *f, const char *path, check_want want, error *e)
{
    memset(f, 0, sizeof *f);
    f->want = want;
    f->text.name = path;
    if (!check_file_named(path))
        return error_usage(e, "%s: expected a name that ends in .json, .jsonc or .lua, or - for JSON on standard input",
                           path);
    f->on_disk = strcmp(path, "-") != 0;
    if (!text_ends_like(path, ".lua"))
        return source_text_read(&f->text, path, e) && open_json(f, e);
    f->list.records = load_lua(path, e);
    return f->list.records != NULL;
}

bool check_file_copy(check_file *f, const char *name, const void *bytes, size_t size, check_want want, error *e)
{
    memset(f, 0, sizeof *f);
    f->want = want;
    return source_text_copy(&f->text, name, bytes, size, e) && open_json(f, e);
}

void check_file_close(check_file *f)
{
    source_text_free(&f->text);
    check_dispatches_free(&f->list);
}

/* ---- visiting ---------------------------------------------------------------------------------------------- */

static bool visit_records(const check_file *f, const check_options *o, check_visit *visit, void *context, error *e)
{
    json_t *record;
    size_t i;
    bool ok = true;
    check_item *item = calloc(1, sizeof *item);
    if (!item)
        return error_set(e, "out of memory");
    item->file = f->text.name;
    json_array_foreach(f->list.records, i, record)
    {
        check_item_begin(item, (check_place){ 0, 0 });
        item->remark = json_string_value(json_array_get(f->list.remarks, i));
        item->known = item->judged = true;
        item->op_name = json_string_value(json_object_get(record, "operator"));
        if (check_record_unknown(record, o, item)) {
            ok = visit(context, item, e) || check_item_error(item, e);
        } else if (!check_record_read(record, o, item, e)) {
            check_item_error(item, e);
            ok = check_item_unreadable(item, o, visit, context, e);
        } else {
            item->op_name = item->d.op->name;
            ok = visit(context, item, e) || check_item_error(item, e);
        }
        if (!ok)
            break;
    }
    free(item);
    return ok;
}

bool check_file_visit(check_file *f, const check_options *o, check_visit *visit, void *context, error *e)
{
    return f->list.records ? visit_records(f, o, visit, context, e) : check_json_visit(f, o, visit, context, e);
}

/* A serialized graph by itself, as ONNX Runtime writes it. */
static bool read_graph_file(const char *path, const check_options *o, check_visit *visit, void *context, error *e)
{
    check_item *item = calloc(1, sizeof *item);
    if (!item)
        return error_set(e, "out of memory");
    item->file = path;
    const check_graph g = { .path = path, .o = o, .item = item, .visit = visit, .context = context };
    const bool ok = check_graph_read(&g, e);
    free(item);
    return ok;
}

/* JSON or IR on standard input. */
static bool read_standard_input(const check_options *o, check_visit *visit, void *context, error *e)
{
    check_file f = { .want = CHECK_DESCRIPTORS };
    bool ok;
    if (!source_text_read(&f.text, "-", e))
        return false;
    if (!is_xml(&f.text)) {
        ok = open_json(&f, e) && check_file_visit(&f, o, visit, context, e);
        check_file_close(&f);
        return ok;
    }
    ok = check_read_ir(&f.text, NULL, o, visit, context, e);
    source_text_free(&f.text);
    return ok;
}

bool check_read_file(const char *path, const check_options *o, check_visit *visit, void *context, error *e)
{
    check_file f;
    source_text t;
    bool ok;
    if (is_ir(path)) {
        ok = source_text_read(&t, path, e);
        if (!ok)
            return false;
        ok = check_read_ir(&t, path, o, visit, context, e);
        source_text_free(&t);
        return ok;
    }
    if (check_graph_named(path))
        return read_graph_file(path, o, visit, context, e);
    if (strcmp(path, "-") == 0)
        return read_standard_input(o, visit, context, e);
    if (!check_file_named(path))
        return error_usage(e, "%s: expected a name that ends in " CHECK_ENDINGS ", or - for standard input", path);
    if (!check_file_open(&f, path, CHECK_DESCRIPTORS, e))
        return false;
    ok = check_file_visit(&f, o, visit, context, e);
    check_file_close(&f);
    return ok;
}

/* ---- items ------------------------------------------------------------------------------------------------- */

void check_item_begin(check_item *item, check_place place)
{
    item->place = place;
    item->index++;
    item->name = item->op_name = NULL;
    item->known = item->judged = item->undecided = item->uncomputed = false;
    item->broken = item->remark = NULL;
    item->d.op = NULL;
    item->layers = NULL;
    item->instead = NULL;
    item->inputs = NULL;
    item->unknown_attrs = 0;
    memset(item->unknown_sizes, 0, sizeof item->unknown_sizes);
    memset(item->types, 0, sizeof item->types);
    memset(item->bounds, 0, sizeof item->bounds);
    memset(item->fitting, 0, sizeof item->fitting);
    item->judge = NULL;
    item->note[0] = 0;
    item->misspelt = false;
    item->finding_count = item->findings_dropped = 0;
    descriptor_no_gaps(&item->gaps);
    item->found.count = item->found.dropped = 0; /* the violations beyond need not be cleared */
    item->found.worst = TS_RESULT_NONE;
    memset(item->found_places, 0, sizeof item->found_places);
}

/* Skip ":12" at the start. Returns what is behind it. */
static const char *skip_number(const char *rest, size_t *value)
{
    char *end;
    if (rest[0] != ':' || rest[1] < '0' || rest[1] > '9')
        return rest;
    *value = (size_t)strtoull(rest + 1, &end, 10);
    return end;
}

void check_item_break(check_item *item, const error *e)
{
    static const char numbered[] = ": record ";
    check_place place = { 0, 1 };
    size_t n = strlen(item->file);
    const char *rest = strncmp(e->text, item->file, n) == 0 ? e->text + n : e->text;
    rest = skip_number(skip_number(rest, &place.line), &place.column);
    if (strncmp(rest, numbered, sizeof numbered - 1) == 0) { /* skip the number of the item, which has it already */
        rest += sizeof numbered - 1;
        rest += strspn(rest, "0123456789");
    }
    if (place.line)
        item->place = place;
    item->known = item->judged = false;
    item->broken = rest + (strncmp(rest, ": ", 2) == 0 ? 2 : 0);
}

bool check_item_unreadable(check_item *item, const check_options *o, check_visit *visit, void *context, error *e)
{
    error why = *e;
    if (!o->go_on || e->status != EXIT_BAD_USAGE)
        return false;
    check_item_break(item, &why);
    return visit(context, item, e);
}

bool check_item_error(const check_item *item, error *e)
{
    if (item->place.line)
        return error_prefix(e, "%s:%zu:%zu", item->file, item->place.line, item->place.column);
    return error_prefix(e, "%s: record %zu", item->file, item->index);
}

bool check_item_evaluable(const check_item *item, error *e)
{
    const char *hint = strchr(item->note, ';'); /* did you mean ...? */
    if (!item->known && check_graph_is_type(item->op_name))
        return error_usage(e, "a serialized graph is not evaluated");
    if (!item->known && !check_is_operator(item->op_name))
        return error_usage(e, "%s: %s", item->op_name, item->note);
    if (!item->known)
        return error_usage(e, "operator \"%s\" is not known here%s", item->op_name, hint ? hint : "");
    if (item->remark)
        return error_usage(e, "%s", item->remark);
    if (item->note[0])
        return error_usage(e, "%s; but outputs may depend on it", item->note);
    return true;
}

bool check_item_uncomputed(const check_item *item)
{
    return !item->known || item->uncomputed || item->remark;
}
