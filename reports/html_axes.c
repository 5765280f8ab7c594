/* SPDX-License-Identifier: Apache-2.0 */
/* In the section of the run: what the parameters of the cases are. */
#include "reports/html_parts.h"

#include <jansson.h>

static void write_operator(text *t, const char *op, json_t *axes)
{
    const char *name;
    json_t *description;
    text_add(t, "<details><summary>");
    text_xml(t, op);
    text_add(t, "</summary>\n<table class=\"facts\">\n");
    json_object_foreach(axes, name, description)
    {
        text_add(t, "<tr><th scope=\"row\">");
        text_xml(t, name);
        text_add(t, "</th><td>");
        text_xml(t, json_string_value(description));
        text_add(t, "</td></tr>\n");
    }
    text_add(t, "</table>\n</details>\n");
}

void html_axes(html_page *p)
{
    const char *stored = store_get(p->s, STORE_AXES), *op;
    json_t *all = stored ? json_loads(stored, 0, NULL) : NULL, *axes;
    if (json_object_size(all) > 0) {
        text_add(p->t, "<h3 id=\"parameters\">Parameters of the cases</h3>\n<p class=\"note\">What the names "
                       "in the ids of cases and in queries are.</p>\n");
        json_object_foreach(all, op, axes) write_operator(p->t, op, axes);
    }
    json_decref(all);
}
