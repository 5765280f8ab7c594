/* SPDX-License-Identifier: Apache-2.0 */
/* The state of reading descriptors in JSON, and the places of their fields (check_json.c, check_json_place.c). */
#ifndef TOUCHSTONE_CHECK_JSON_READER_H
#define TOUCHSTONE_CHECK_JSON_READER_H

#include "harness/check/check.h"
#include "harness/check/check_model.h"
#include "harness/check/json_scanner.h"

/* State of reading one file. */
typedef struct json_reader {
    source_text *t;
    bool inputs; /* are wanted */
    const check_options *o;
    check_visit *visit;
    void *context;
    error *e;
    check_item item;
    check_span descriptor;      /* where the item's fields are; empty without them */
    check_model *model;         /* that the operators are of, where its descriptors are wanted; else NULL */
    const char *folder;         /* of the file, with the separator at its end; NULL: it is not on disk */
    check_span whole, bindings; /* the operator, and its own bindings */
    const char *graph;          /* the dispatchable that is read as one */
} json_reader;

/* Does the value begin with this bracket or quote? */
static inline bool json_reader_is(const json_reader *r, check_span span, char bracket)
{
    return span.end > span.begin && r->t->bytes[span.begin] == bracket;
}

/* Find a member by either of two names, both of which DxDispatch accepts. */
static inline bool json_reader_find(const json_reader *r, check_span object, const char *a, const char *b,
                                    check_span *value)
{
    return json_scanner_find(r->t, object, a, value) || json_scanner_find(r->t, object, b, value);
}

/* check_item.locate and locate_mistake of an item whose `source` is the reader. */
bool json_reader_locate(const check_item *item, const ts_mention *m, check_place *place);
bool json_reader_locate_mistake(const check_item *item, const descriptor_mistake *m, check_place *place);

/* Find the field "X" of an error "...: no field "X"...", in the descriptor or in the record around it. */
bool json_reader_locate_named(const json_reader *r, check_span whole, int tensor, check_place *place);

#endif
