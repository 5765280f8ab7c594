/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of descriptors, as check, eval and explain read them: DxDispatch models, operators and records in JSON, and
 * records in Lua. An open file can be visited several times, standard input included.
 */
#ifndef TOUCHSTONE_CHECK_FILE_H
#define TOUCHSTONE_CHECK_FILE_H

#include "harness/check/check.h"
#include "harness/check/check_dxdispatch.h"

/* Which parts of a file to read. Inputs are the data of a record's tensors. */
typedef enum check_want {
    CHECK_DESCRIPTORS, /* no inputs; the dispatchables of a model */
    CHECK_INPUTS,      /* inputs, where given; the dispatchables of a model, which have none */
    CHECK_DISPATCHES   /* inputs, where given; the dispatch commands of a model with the data that they bind */
} check_want;

/* An open file. */
typedef struct check_file {
    check_want want;
    source_text text;      /* name for messages; no bytes for a Lua file */
    check_span root;       /* of the JSON in it */
    bool on_disk;          /* the name is that of a file, so that files beside it can be read */
    check_dispatches list; /* records: what a Lua file returned, or a model's dispatches; else none */
} check_file;

/* Is this the name of such a file: *.json, *.jsonc, *.lua, in any case, or "-" for JSON on standard input? */
bool check_file_named(const char *path);

/* Open a file; a Lua file runs in the sandbox. On error, EXIT_BAD_USAGE with the file's name and the line where known,
   there is nothing to close. */
bool check_file_open(check_file *f, const char *path, check_want want, error *e);

/* Open JSON in memory, which is copied. */
bool check_file_copy(check_file *f, const char *name, const void *bytes, size_t size, check_want want, error *e);

void check_file_close(check_file *f);

/* Visit every descriptor of the file, in order. An unreadable descriptor is an EXIT_BAD_USAGE error with its place, and
   so is a file without descriptors; those before it have been visited then. Errors of a visit get the item's place. */
bool check_file_visit(check_file *f, const check_options *o, check_visit *visit, void *context, error *e);

/* Prefix an error with "file:line:column" or "file: evaluation 2". Returns false. */
bool check_item_error(const check_item *item, error *e);

/* Can the item be evaluated? False with an error where the operator is unknown, or where fields were ignored on which
   an output may depend. */
bool check_item_evaluable(const check_item *item, error *e);

/* Is that no mistake in the file? The operator is unknown, or the file has what the reference does not compute with. */
bool check_item_uncomputed(const check_item *item);

/* check_file_visit for JSON (check_json.c). */
bool check_json_visit(check_file *f, const check_options *o, check_visit *visit, void *context, error *e);

#endif
