/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/wire.h"

#include "harness/base/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More than the largest message: a chunk with a million findings of 4 KiB each. */
#define RECEIVE_BYTES ((size_t)1 << 20)
#define MOST_BYTES    (UINT64_C(1) << 33)

void wire_free(wire *w)
{
    free(w->bytes);
    memset(w, 0, sizeof *w);
}

void wire_clear(wire *w)
{
    w->size = w->at = 0;
    w->broken = false;
}

static bool reserve(wire *w, size_t more)
{
    if (w->broken)
        return false;
    if (more > SIZE_MAX - w->size || !array_reserve(&w->bytes, &w->capacity, w->size + more, 1))
        w->broken = true;
    return !w->broken;
}

void wire_encode(wire *w, const void *bytes, size_t size)
{
    if (size == 0 || !reserve(w, size))
        return;
    memcpy(w->bytes + w->size, bytes, size);
    w->size += size;
}

void wire_encode_u64(wire *w, uint64_t value)
{
    wire_encode(w, &value, sizeof value);
}

/* The length includes the NUL; 0 means NULL. */
void wire_encode_text(wire *w, const char *text)
{
    size_t size = text ? strlen(text) + 1 : 0;
    wire_encode_u64(w, size);
    wire_encode(w, text, size);
}

const void *wire_decode(wire *w, size_t size)
{
    if (w->broken || size > w->size - w->at) {
        w->broken = true;
        return NULL;
    }
    const void *p = w->bytes + w->at;
    w->at += size;
    return p;
}

uint64_t wire_decode_u64(wire *w)
{
    uint64_t value = 0;
    const void *p = wire_decode(w, sizeof value);
    if (p)
        memcpy(&value, p, sizeof value);
    return value;
}

uint64_t wire_decode_count(wire *w, uint64_t most)
{
    uint64_t value = wire_decode_u64(w);
    if (value > most)
        w->broken = true;
    return w->broken ? 0 : value;
}

const char *wire_decode_text(wire *w)
{
    uint64_t size = wire_decode_u64(w);
    const char *text = size ? wire_decode(w, size) : NULL;
    if (text && text[size - 1] != '\0') {
        w->broken = true;
        return NULL;
    }
    return text;
}

void wire_decode_string(wire *w, char *buf, size_t size)
{
    const char *text = wire_decode_text(w);
    snprintf(buf, size, "%s", text ? text : "");
}

bool wire_send(wire *w, platform_line *line)
{
    uint64_t size = w->size;
    return !w->broken && platform_line_send(line, &size, sizeof size) && platform_line_send(line, w->bytes, w->size);
}

bool wire_receive(wire *w, platform_line *line)
{
    uint64_t size;
    wire_clear(w);
    if (!platform_line_receive(line, &size, sizeof size))
        return false;
    if (size > MOST_BYTES)
        w->broken = true;
    /* Memory grows with what arrives: a length is only announced. */
    while (!w->broken && w->size < size) {
        const size_t left = size - w->size, part = left < RECEIVE_BYTES ? left : RECEIVE_BYTES;
        if (!reserve(w, part) || !platform_line_receive(line, w->bytes + w->size, part))
            w->broken = true;
        else
            w->size += part;
    }
    return !w->broken;
}
