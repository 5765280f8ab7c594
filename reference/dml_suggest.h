/* SPDX-License-Identifier: Apache-2.0 */
/* Suggestions for the clauses that DirectML's operators share (dml_suggest.c). */
#ifndef TOUCHSTONE_DML_SUGGEST_H
#define TOUCHSTONE_DML_SUGGEST_H

#include "harness/model/mention.h"
#include "harness/model/suggest.h"

ts_suggest dml_suggest_buffer, dml_suggest_flags, dml_suggest_sizes, dml_suggest_bytes, dml_suggest_elements,
    dml_suggest_strides, dml_suggest_multiple_of_4, dml_suggest_alignment, dml_suggest_most_bytes;

#endif
