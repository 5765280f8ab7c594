/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/store/store_finding.h"

#include <stdlib.h>
#include <string.h>

/* The strings of a finding, in the order that they have in messages. */
#define STRINGS 20
static void list_strings(store_finding *f, const char **out[STRINGS])
{
    const char **const list[STRINGS] = { &f->case_id,    &f->clause,   &f->dtype,      &f->level,       &f->tensor,
                                         &f->element,    &f->expected, &f->actual,     &f->source,      &f->detail,
                                         &f->descriptor, &f->tensors,  &f->reproducer, &f->rate,        &f->depends,
                                         &f->matters,    &f->printed,  &f->shrunk,     &f->shrunk_facts, &f->class };
    memcpy(out, list, sizeof list);
}

void store_finding_clear(store_finding *f)
{
    const char **strings[STRINGS];
    list_strings(f, strings);
    for (size_t k = 0; k < STRINGS; ++k)
        free((void *)(uintptr_t)*strings[k]);
    memset(f, 0, sizeof *f);
}

void store_finding_encode(const store_finding *f, wire *w)
{
    store_finding copy = *f;
    const char **strings[STRINGS];
    list_strings(&copy, strings);
    wire_encode_u64(w, f->index);
    wire_encode_u64(w, f->verdict);
    wire_encode_u64(w, f->differing);
    wire_encode_u64(w, f->stands_for);
    wire_encode_u64(w, f->other_data);
    for (size_t k = 0; k < STRINGS; ++k)
        wire_encode_text(w, *strings[k]);
}

bool store_finding_decode(store_finding *f, wire *w)
{
    const char **strings[STRINGS];
    memset(f, 0, sizeof *f);
    list_strings(f, strings);
    f->index = wire_decode_u64(w);
    f->verdict = (verdict)wire_decode_count(w, VERDICT_COUNT - 1);
    f->differing = wire_decode_u64(w);
    f->stands_for = wire_decode_u64(w);
    f->other_data = wire_decode_count(w, 1) != 0;
    for (size_t k = 0; k < STRINGS; ++k) {
        const char *text = wire_decode_text(w);
        *strings[k] = text ? strdup(text) : NULL;
        if (text && !*strings[k])
            return false;
    }
    return !w->broken;
}
