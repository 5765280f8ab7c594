/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/exec/words.h"

#include <stdlib.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

/* Copy one word to *to, which may be the memory that it is read from; it becomes no longer. Returns what follows the
   word, or NULL where a quote is not closed. */
static const char *take_word(const char *from, char **to)
{
    char quote = 0;
    for (; *from && (quote || !is_blank(*from)); ++from) {
        if (quote && *from == quote)
            quote = 0;
        else if (!quote && (*from == '\'' || *from == '"'))
            quote = *from;
        else if (*from == '\\' && quote != '\'' && from[1])
            *(*to)++ = *++from;
        else
            *(*to)++ = *from;
    }
    return quote ? NULL : from;
}

bool words_split(words *w, const char *command, const char **why)
{
    size_t count = 0;
    const char *from = command;
    char *to = malloc(2 * strlen(command) + 2); /* a zero byte behind each word */
    *w = (words){ .text = to };
    *why = "out of memory";
    while (to && from) {
        while (is_blank(*from))
            ++from;
        if (!*from)
            break;
        *why = "it has more than 64 words";
        if (count == WORDS_MOST) {
            from = NULL;
            break;
        }
        w->list[count++] = to;
        *why = "a quote is not closed";
        from = take_word(from, &to);
        *to++ = '\0';
    }
    if (to && from && count > 0)
        return true;
    if (to && from)
        *why = "it is empty";
    words_free(w);
    return false;
}

void words_free(words *w)
{
    free(w->text);
    *w = (words){ .text = NULL };
}
