/* SPDX-License-Identifier: Apache-2.0 */
/* Resources of a DxDispatch model: how many bytes each has, and what DxDispatch refuses about it. */
#ifndef TOUCHSTONE_CHECK_RESOURCE_H
#define TOUCHSTONE_CHECK_RESOURCE_H

#include "harness/check/source_text.h"

#include <jansson.h>
#include <stdint.h>

typedef struct check_resource {
    char *name;     /* the owner frees it */
    uint64_t bytes; /* of the buffer */
    bool sized;     /* they are known: not of a deferred resource, nor of an image or a file that is not there */
    size_t element; /* bytes of one element of its initial values; 0: they have several types */
} check_resource;

/* Read the resource at a span of the text. `folder` is the model's, for files that it names, with the separator at its
   end; NULL: they are not opened. False with the place and the reason where DxDispatch refuses the resource; its size
   is unknown then. */
bool check_resource_read(source_text *t, check_span span, const char *folder, check_resource *r, error *e);

/* Store a number as an element of a type, as DxDispatch does: an integer of the type's range; for a type of floating
   point a number, "nan", "inf" or "-inf" in any case. False where it refuses it. */
bool check_store_number(uint32_t dtype, void *at, const json_t *json);

#endif
