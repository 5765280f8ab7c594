/* SPDX-License-Identifier: Apache-2.0 */
/* The result as text and as JSON. */
#include "harness/base/output.h"
#include "harness/base/visible.h"
#include "harness/probe/probe.h"

#include <string.h>

void probe_print(const probe_result *r)
{
    static const char *const words[] = { "ok", "BROKEN", "n/a", "not run" };
    if (*r->name)
        visible_print(stdout, "%s%s%s (%s)\n", r->name, *r->version ? " " : "", r->version, r->path);
    else
        visible_print(stdout, "%s\n", r->path);
    for (size_t i = 0; i < r->count; ++i) {
        const probe_line *l = &r->lines[i];
        visible_print(stdout, "%-8s %-18s %s%s%s\n", words[l->outcome], l->check, l->tries,
                      *l->text && l->outcome != PROBE_BROKEN ? ": " : "", l->outcome != PROBE_BROKEN ? l->text : "");
        if (l->outcome == PROBE_BROKEN)
            visible_print(stdout, "         %s\n         backend.h, %s: \"%s\"\n", l->text, l->place, l->contract);
    }
    const size_t broken = r->outcomes[PROBE_BROKEN];
    visible_print(stdout, "\n%zu checks: %zu ok, %zu broken, %zu not applicable", r->count, r->outcomes[PROBE_KEPT],
                  broken, r->outcomes[PROBE_NOT_APPLICABLE]);
    if (r->outcomes[PROBE_NOT_RUN])
        visible_print(stdout, ", %zu not run", r->outcomes[PROBE_NOT_RUN]);
    if (!broken && r->count < r->all)
        visible_print(stdout, "\nit keeps the contract of backend.h in these checks; %zu of %zu were not run\n",
                      r->all - r->count, r->all);
    else
        visible_print(stdout, "\n%s\n",
                      broken ? "it breaks the contract of backend.h" : "it keeps the contract of backend.h");
}

static void add_member(text *t, const char *name, const char *value)
{
    text_format(t, ", \"%s\": ", name);
    text_json(t, value);
}

bool probe_write_json(const probe_result *r, const char *path, error *e)
{
    output o;
    if (!output_open(&o, path, e))
        return false;
    text *t = &o.text;
    text_add(t, "{ \"probe\": 1");
    add_member(t, "backend", r->name);
    add_member(t, "version", r->version);
    add_member(t, "path", r->path);
    text_format(t, ", \"kept\": %s, \"checks\": [", r->outcomes[PROBE_BROKEN] ? "false" : "true");
    for (size_t i = 0; i < r->count; ++i) {
        const probe_line *l = &r->lines[i];
        text_format(t, "%s\n  { \"name\": ", i ? "," : "");
        text_json(t, l->check);
        add_member(t, "tries", l->tries);
        add_member(t, "outcome", probe_outcome_name(l->outcome));
        add_member(t, "text", l->text);
        add_member(t, "place", l->place);
        add_member(t, "contract", l->contract);
        text_add(t, " }");
    }
    text_add(t, "\n] }\n");
    return output_close(&o, true, e);
}
