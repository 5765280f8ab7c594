/* SPDX-License-Identifier: Apache-2.0 */
/* In the section of the run: what the backend printed. */
#include "harness/store/store_printed.h"
#include "reports/html_parts.h"

#include <inttypes.h>

static void write_text(text *t, const char *name, const char *lines)
{
    if (!lines || !*lines)
        return;
    text_format(t, "<p class=\"note\">%s</p><pre>", name);
    text_xml(t, lines);
    text_add(t, "</pre>");
}

static bool write_process(void *context, const store_printed *row)
{
    html_page *p = context;
    const size_t test = summary_find_test(&p->m, row->test);
    text_add(p->t, "<details><summary>");
    text_xml(p->t, test < p->m.test_count ? p->m.tests[test].name : "Before the first test");
    if (row->process)
        text_format(p->t, ", process %" PRIu64, row->process);
    else
        text_format(p->t, ", %" PRIu64 " other processes", row->processes);
    text_add(p->t, ": ");
    text_count(p->t, row->lines);
    text_add(p->t, row->lines == 1 ? " line, " : " lines, ");
    text_count(p->t, row->bytes);
    text_add(p->t, row->bytes == 1 ? " byte</summary>\n" : " bytes</summary>\n");
    write_text(p->t, row->process ? "The beginning" : "The beginning, of the last process", row->head);
    write_text(p->t, "The end", row->tail);
    text_add(p->t, "</details>\n");
    return !p->t->failed;
}

bool html_printed(html_page *p, error *e)
{
    const size_t before = p->t->length;
    text_add(p->t, "<h3 id=\"printed\">Printed by the backend</h3>\n<p class=\"note\">The beginning and the "
                   "end of what its processes wrote to standard output and error. Control characters are shown as "
                   "escapes.</p>\n");
    const size_t head = p->t->length;
    if (!store_each_printed(p->s, write_process, p, e))
        return false;
    if (p->t->length == head && !p->t->failed)
        p->t->length = before;
    return true;
}
