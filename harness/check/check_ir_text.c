/* SPDX-License-Identifier: Apache-2.0 */
/* The text of an IR before it is parsed: what people and pages write that is no XML. */
#include "harness/check/check_ir.h"

#include <string.h>
#include <strings.h>

void ir_blank_dots(source_text *t)
{
    bool tag = false;
    char quote = 0;
    for (size_t i = 0; i + 2 < t->size; ++i) {
        char c = t->bytes[i];
        if (!tag && strncmp(t->bytes + i, "<!--", 4) == 0) {
            const char *end = strstr(t->bytes + i + 4, "-->");
            if (!end)
                return;
            i = (size_t)(end - t->bytes) + 2;
        } else if (!tag) {
            tag = c == '<';
        } else if (quote) {
            quote = c == quote ? 0 : quote;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '>') {
            tag = false;
        } else if (strncmp(t->bytes + i, "...", 3) == 0) {
            memset(t->bytes + i, ' ', 3);
        }
    }
}

bool ir_is_snippet(const source_text *t)
{
    const char *start = t->bytes + strspn(t->bytes, " \t\r\n");
    while (strncmp(start, "<!--", 4) == 0) {
        const char *end = strstr(start, "-->");
        if (!end)
            return false;
        start = end + 3 + strspn(end + 3, " \t\r\n");
    }
    return strncmp(start, "<layer", 6) == 0 && (start[6] == 0 || strchr(" \t\r\n>/", start[6]));
}

void ir_blank_declaration(source_text *t)
{
    static const char mark[] = "\xEF\xBB\xBF";
    char *start = t->bytes + (strncmp(t->bytes, mark, sizeof mark - 1) == 0 ? sizeof mark - 1 : 0);
    char *at = start + strspn(start, " \t\r\n"), *end = strstr(at, "?>"), *encoding = strstr(at, "encoding");
    if (at == start || strncmp(at, "<?xml", 5) != 0 || !end)
        return;
    if (encoding && encoding < end) {
        encoding += strcspn(encoding, "\"'");
        if (strncasecmp(encoding + 1, "utf-8", 5) != 0)
            return;
    }
    for (end += 2; at < end; ++at)
        *at = *at == '\n' ? '\n' : ' ';
}
