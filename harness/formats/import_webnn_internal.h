/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of import_webnn.h share: what is read of a test, and helpers that read it. */
#ifndef TOUCHSTONE_IMPORT_WEBNN_INTERNAL_H
#define TOUCHSTONE_IMPORT_WEBNN_INTERNAL_H

#include "harness/formats/import_webnn.h"
#include "harness/formats/webnn/graph.h"

#define IMPORT_MOST_DIMENSIONS TS_MAX_DIMS /* of a tensor of the test */
#define IMPORT_DML_DIMENSIONS  8           /* of DirectML's tensors */

/* A tensor of the test. */
typedef struct import_operand {
    uint32_t dtype, rank;
    uint64_t sizes[IMPORT_MOST_DIMENSIONS];
    uint64_t count; /* of elements */
    json_t *data;   /* as many values, owned */
} import_operand;

typedef struct import_reader {
    const json_t *graph, *op; /* op: the operator, the first one if there are several */
    uint32_t most;            /* dimensions that a tensor may have */
    const char *name;         /* of the operator of the record */
    import_operand input, indices, updates, output;
    import_operand joined[WEBNN_MOST_JOINED];
    json_t *descriptor, *inputs; /* of the record, owned */
    import_test *t;
    error *e;
} import_reader;

/* An operation of WebNN, and how it becomes a record. */
typedef struct import_mapping {
    const char *webnn, *operator_name;
    uint32_t most;                   /* dimensions of its tensors */
    const char *arguments, *options; /* that it knows, each between spaces */
    bool (*map)(import_reader *r);   /* output is read. Set the descriptor and the inputs */
} import_mapping;

/* NULL: there is none, and why says so. */
const import_mapping *import_webnn_mapping(const import_reader *r, const char *name);

/* The mapping of a graph of several operators, which is one operator of DirectML; NULL as above. */
const import_mapping *import_webnn_pattern(const import_reader *r);

/* Say why the suite cannot express the test; false. */
bool import_webnn_cannot(const import_reader *r, const char *format, ...) ERROR_PRINTF(2, 3);

/* Read a list of at most r->most numbers of 32 bits; or one number for each dimension of the input. */
bool import_webnn_list(const import_reader *r, const json_t *list, const char *what, uint64_t *values, uint32_t *count);
bool import_webnn_each(const import_reader *r, const json_t *list, const char *what, uint64_t *values);

/* Are all members of a record among these words, each between spaces? If not, *other is the first one. */
bool import_webnn_only_members(json_t *record, const char *words, const char **other);

/* Read graph.WHERE.NAME. */
bool import_webnn_operand(const import_reader *r, const char *where, const char *name, import_operand *o);

/* An argument of an operator, whose `arguments` are a list of records with one member each; of the operator, an option.
   NULL: it is not given. */
json_t *import_webnn_argument_of(const json_t *op, const char *name);
json_t *import_webnn_argument(const import_reader *r, const char *name);
const json_t *import_webnn_option(const import_reader *r, const char *name);

/* Set *value to an option that is true or false, and to false where it is not given. */
bool import_webnn_flag(const import_reader *r, const char *name, bool *value);

/* Read the input that an argument names. */
bool import_webnn_input(const import_reader *r, const char *name, import_operand *o);

/* Read an axis of the input: an integer below its dimensions; NULL is 0. */
bool import_webnn_axis(const import_reader *r, const json_t *given, json_int_t *axis);

json_t *import_webnn_list_of(const uint64_t *values, uint32_t count);

/* A tensor of the descriptor, with ones in front of its sizes; a scalar has one dimension. */
json_t *import_webnn_tensor(const import_operand *o, uint32_t leading);

/* Does the output have as many dimensions as the operation gives it? */
bool import_webnn_has_rank(const import_reader *r, uint32_t rank);

#endif
