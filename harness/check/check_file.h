/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of descriptors, as check, eval and explain read them: DxDispatch models, operators and records in JSON, and
 * records in Lua. An opened file can be visited as often as wanted, standard input included.
 */
#ifndef TOUCHSTONE_CHECK_FILE_H
#define TOUCHSTONE_CHECK_FILE_H

#include "harness/check/check.h"

/* What is wanted of a file. Inputs are the data of a record's tensors; they are passed over, or read where they are
   there. */
typedef enum check_want {
    CHECK_DESCRIPTORS, /* without inputs; of a model its dispatchables */
    CHECK_INPUTS,      /* with them; of a model its dispatchables, which have none */
    CHECK_DISPATCHES   /* with them; of a model its dispatch commands, with the data of the resources they bind */
} check_want;

/* An open file. */
typedef struct check_file {
    check_want want;
    source_text text; /* its name serves messages; without bytes where `records` is all there is */
    check_span root;  /* of the JSON in it */
    json_t *records;  /* a list of records: what a Lua file returned, or a model's dispatches; else NULL */
} check_file;

/* Does the name end as those of such files do (.json, .lua, or "-" for JSON on standard input)? */
bool check_file_named(const char *path);

/* Or as that of an OpenVINO IR (.xml)? */
bool check_file_is_ir(const char *path);

/* Read a file; of a Lua file, run it in the sandbox. False with the file's name, and with the line where there is one:
   EXIT_BAD_USAGE. Then there is nothing to close. */
bool check_file_open(check_file *f, const char *path, check_want want, error *e);

/* The same for JSON in memory, which is copied. */
bool check_file_copy(check_file *f, const char *name, const void *bytes, size_t size, check_want want, error *e);

void check_file_close(check_file *f);

/* Visit every descriptor in it, in order. One that is unreadable is an EXIT_BAD_USAGE error at its place, and so is a
   file without any; those before it have been visited by then. What a visit complains about gets the item's place. */
bool check_file_visit(check_file *f, const check_options *o, check_visit *visit, void *context, error *e);

/* "file:line:column" or "file: evaluation 2" before the message. Returns false. */
bool check_item_error(const check_item *item, error *e);

/* Can the item be evaluated? Not where the operator is unknown here, or where fields of it were ignored: an output may
   depend on them. */
bool check_item_evaluable(const check_item *item, error *e);

/* check_file_visit's part for JSON; check_json.c. */
bool check_json_visit(check_file *f, const check_options *o, check_visit *visit, void *context, error *e);

#endif
