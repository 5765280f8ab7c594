/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What DxDispatch's parser refuses in a model though DirectML's pages do not: findings with the rules DXD-01 to DXD-10
 * (check_class.h). The text decides, not its tree: 1.0 is no integer there, and null is not the same as nothing.
 */
#ifndef TOUCHSTONE_CHECK_REFUSALS_H
#define TOUCHSTONE_CHECK_REFUSALS_H

#include "harness/check/check_class.h"
#include "harness/check/check_json_reader.h"

/* Add to the reader's item, an operator of a known type whose fields are at r->descriptor, what is refused of it. */
void check_find_refusals(json_reader *r);

/* Add to the item, as mistakes, the members of the dispatchable r->whole that are nearly spelt as ones that it may have
   beside its descriptor, which DxDispatch passes over. */
void check_find_members(json_reader *r);

/* Add to an item the formats of the sources in a dispatch's bindings that are none (check_formats.c). `place` gives the
   place of a byte of the text. */
bool check_find_formats(source_text *t, check_span bindings, check_place (*place)(void *context, size_t offset),
                        void *context, check_item *item, error *e);

#endif
