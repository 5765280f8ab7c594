/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/lua_strip.h"

#include <stdbool.h>
#include <string.h>

/* The end of the long bracket ("[[", "[==[") that starts at `at`: the position behind its closing bracket, or `size` if
   nothing closes it. 0 where no long bracket starts. */
static size_t long_bracket_end(const char *text, size_t size, size_t at)
{
    size_t level = 0, open = at + 1;
    if (at >= size || text[at] != '[')
        return 0;
    while (open + level < size && text[open + level] == '=')
        ++level;
    if (open + level >= size || text[open + level] != '[')
        return 0;
    for (size_t i = open + level + 1; i + level + 1 < size; ++i) {
        size_t k = 0;
        if (text[i] != ']')
            continue;
        while (k < level && text[i + 1 + k] == '=')
            ++k;
        if (k == level && text[i + 1 + k] == ']')
            return i + level + 2;
    }
    return size;
}

/* The position behind the quoted string that starts at `at`. An unfinished string ends at the end of its line. */
static size_t quoted_end(const char *text, size_t size, size_t at)
{
    const char quote = text[at];
    for (size_t i = at + 1; i < size; ++i) {
        if (text[i] == '\\')
            ++i;
        else if (text[i] == quote || text[i] == '\n')
            return i + 1;
    }
    return size;
}

/* The position behind the comment that starts at `at`; `at` where none starts. */
static size_t comment_end(const char *text, size_t size, size_t at)
{
    if (at + 1 >= size || text[at] != '-' || text[at + 1] != '-')
        return at;
    size_t end = long_bracket_end(text, size, at + 2);
    if (end)
        return end;
    const char *line_end = memchr(text + at, '\n', size - at);
    return line_end ? (size_t)(line_end - text) : size;
}

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

size_t lua_strip(char *text, size_t size)
{
    size_t from = 0, to = 0;
    bool gap = false;
    while (from < size) {
        size_t end = comment_end(text, size, from);
        if (end > from || is_blank(text[from])) {
            from = end > from ? end : from + 1;
            gap = true;
            continue;
        }
        end = long_bracket_end(text, size, from);
        if (!end)
            end = text[from] == '"' || text[from] == '\'' ? quoted_end(text, size, from) : from + 1;
        if (gap && to > 0)
            text[to++] = ' ';
        gap = false;
        memmove(text + to, text + from, end - from);
        to += end - from;
        from = end;
    }
    return to;
}
