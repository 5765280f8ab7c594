/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/printed.h"

#include "harness/base/text.h"

#include <string.h>

#define LAST_LINES 12
#define LAST_BYTES 1024 /* of these lines */

static size_t smaller(uint64_t a, size_t b)
{
    return a < b ? (size_t)a : b;
}

void printed_take(void *context, const char *bytes, size_t size)
{
    printed *p = context;
    for (size_t i = 0; i < size; ++i)
        p->lines += bytes[i] == '\n';
    const size_t head = smaller(size, sizeof p->head - p->head_size);
    memcpy(p->head + p->head_size, bytes, head);
    p->head_size += head;
    if (size)
        p->last = bytes[size - 1];
    if (size > sizeof p->ring) { /* only the end of it stays */
        p->position += size - sizeof p->ring;
        bytes += size - sizeof p->ring;
        size = sizeof p->ring;
    }
    const size_t at = (size_t)(p->position % sizeof p->ring), first = smaller(size, sizeof p->ring - at);
    memcpy(p->ring + at, bytes, first);
    memcpy(p->ring, bytes + first, size - first);
    p->position += size;
}

void printed_switch(printed *p, int64_t test)
{
    if (p->test == test)
        return;
    p->test = test;
    p->begun = p->position;
    p->lines = p->stored_bytes = p->stored_lines = 0;
    p->head_size = 0;
    p->stored = p->counted = false;
}

/* Copy the last n bytes. */
static void copy_end(const printed *p, size_t n, char *to)
{
    const size_t at = (size_t)((p->position - n) % sizeof p->ring), first = smaller(n, sizeof p->ring - at);
    memcpy(to, p->ring + at, first);
    memcpy(to + first, p->ring, n - first);
}

bool printed_has_news(const printed *p)
{
    return p->position - p->begun != p->stored_bytes;
}

bool printed_store(printed *p, store *s, uint64_t process, error *e)
{
    const uint64_t bytes = p->position - p->begun, lines = p->lines + (bytes > 0 && p->last != '\n');
    char end[PRINTED_TAIL];
    text head = { .data = NULL }, tail = { .data = NULL };
    bool room = !p->counted;
    if (!printed_has_news(p))
        return true;
    if (!p->stored && !store_has_room_for_printed(s, p->test, process, &room, e))
        return false;
    const size_t n = smaller(bytes - p->head_size, sizeof end);
    copy_end(p, n, end);
    text_visible_lines(&head, p->head, p->head_size);
    text_visible_lines(&tail, end, n);
    store_printed row = { .test = p->test,
                          .process = process,
                          .processes = 1,
                          .bytes = bytes,
                          .lines = lines,
                          .head = head.data,
                          .tail = tail.data };
    if (!room) {
        row.process = 0;
        row.processes = p->stored ? 0 : 1;
        row.bytes = bytes - p->stored_bytes;
        row.lines = lines > p->stored_lines ? lines - p->stored_lines : 0;
    }
    const bool fine = !head.failed && !tail.failed ? store_add_printed(s, &row, e) : error_set(e, "out of memory");
    text_free(&head);
    text_free(&tail);
    p->stored = true;
    p->counted = !room;
    p->stored_bytes = bytes;
    p->stored_lines = lines;
    return fine;
}

char *printed_last_lines(const printed *p, uint64_t from)
{
    char end[LAST_BYTES];
    text t = { .data = NULL };
    size_t n = smaller(from < p->position ? p->position - from : 0, sizeof end), lines = 0;
    const bool whole = n < sizeof end;
    copy_end(p, n, end);
    while (n > 0 && (end[n - 1] == '\n' || end[n - 1] == '\r'))
        --n;
    size_t first = n;
    while (first > 0 && (end[first - 1] != '\n' || ++lines < LAST_LINES))
        --first;
    if (first == 0 && !whole) { /* the first line is not there from its beginning */
        const char *next = memchr(end, '\n', n);
        first = next ? (size_t)(next + 1 - end) : 0;
    }
    text_visible_lines(&t, end + first, n - first);
    if (t.failed)
        text_free(&t);
    return t.data;
}
