/* SPDX-License-Identifier: Apache-2.0 */
/* Layers of OpenVINO's IR as its XML states them, before anything is judged. Which layers are read, an operator
   declares (ts_ir_layer). */
#ifndef TOUCHSTONE_CHECK_IR_H
#define TOUCHSTONE_CHECK_IR_H

#include "harness/check/check.h"
#include "harness/base/bigint.h"

#include <stdio.h>

#define IR_MAX_LISTS  7
#define IR_MAX_INPUTS (TS_MAX_TENSORS - 1 + IR_MAX_LISTS) /* the tensors, then the lists */

/* Port of a layer: its type and its dimensions, -1 where a dimension is dynamic. */
typedef struct ir_port {
    bool present;
    char type[16];  /* an unknown type as the file spells it; else "" */
    uint32_t dtype; /* TS_DTYPE_UNKNOWN: not stated */
    uint32_t rank;  /* may exceed TS_MAX_DIMS */
    int64_t dims[TS_MAX_DIMS];
    check_place place, dim_places[TS_MAX_DIMS];
    uint64_t id;
} ir_port;

/* A dimension that is out of range, as the file has it; the port holds the nearest size. */
typedef struct ir_bad_dim {
    unsigned input; /* IR_MAX_INPUTS: the output */
    uint32_t dim;
    bigint value;
} ir_bad_dim;

/* Where a layer's input comes from. */
/* MISSING: the edge begins at a layer that is not in the file. */
typedef enum ir_source { IR_UNCONNECTED, IR_COMPUTED, IR_CONSTANT, IR_MISSING } ir_source;

/* A constant in the .bin file. */
typedef struct ir_const {
    uint64_t id, offset, size;
    uint64_t count; /* product of its shape */
    uint32_t rank, dtype;
    const char *problem; /* why it cannot be read, or NULL */
    check_place place;
} ir_const;

/* A layer that an operator declares. */
typedef struct ir_layer {
    const ts_operator *op;
    uint64_t id;
    char *name;                /* may be NULL */
    char *attrs[TS_MAX_ATTRS]; /* as written in <data>, in the order of the operator's; NULL without the attribute */
    check_place place, data_place;
    unsigned inputs;
    ir_port input[IR_MAX_INPUTS], output;
    ir_source source[IR_MAX_INPUTS];
    ir_const constant[IR_MAX_INPUTS];
    char problem[160]; /* why the layer cannot be read; "" where it can */
    check_place problem_place;
    char note[320];               /* what was ignored */
    char *misspelt[TS_MAX_ATTRS]; /* of the attribute: the name that it was read by, where that is another one */
    ir_bad_dim *bad_dims;
    size_t bad_dim_count, bad_dim_room;
} ir_layer;

/* The range of a port's dimension, -1 being dynamic. */
#define IR_DIM_RANGE "-1 to 9223372036854775807"

#define IR_LATEST_OPSET 16

/* The operator that a layer of this type is in an opset: the latest version up to it, as an opset holds every operator
   of those before. NULL: none, also of an opset that is not known: one behind IR_LATEST_OPSET, or an extension's.
   Without an opset (NULL), the first version. */
const ts_operator *ir_operator(const char *type, const char *opset);

/* What may be meant by a layer that is not judged: a judged type that is spelt nearly so, or an opset that is known. ""
   if nothing. */
void ir_hint(const char *type, const char *opset, char *buf, size_t size);

/* ---- the text, before it is parsed (check_ir_text.c) ---- */

/* Replace the dots in the page's snippets, which stand for attributes, by blanks. */
void ir_blank_dots(source_text *t);

/* Does the text consist of snippets, which begin with a layer? */
bool ir_is_snippet(const source_text *t);

/* Blanks before <?xml ... ?> are no XML, though other readers of IR accept them: replace the declaration by blanks,
   too. It says nothing that is needed, unless it names another encoding than that of its bytes. */
void ir_blank_declaration(source_text *t);

/* ---- attributes, as expat has them: name, value, name, value, NULL (check_ir_attribute.c) ---- */

/* The value of an attribute, or NULL. */
const char *ir_attribute(const char **attributes, const char *name);

/* Parse a number that consists of decimal digits only. False for other texts and NULL. */
bool ir_number(const char *text, uint64_t *value);

/* The data type of a name: "FP32" in ports of version 10, "f32" in constants and in version 11. */
uint32_t ir_type_named(const char *name);

/* Parse a shape such as "2,3": its rank and its number of elements. */
bool ir_count_elements(const char *shape, uint32_t *rank, uint64_t *count);

/* The value of an attribute that has names, by its name. False if it has no such value; *known then lists the names:
   "i64 or i32". */
bool ir_value_named(const ts_attr_decl *a, const char *name, int64_t *value, char *known, size_t size);

/* Note the attributes of <data> that the operator does not have: they are ignored, as OpenVINO does. One that is nearly
   spelt like one that is missing is taken for it. */
void ir_note_unknown(ir_layer *layer, const char **attributes);

/* The mistake of a misspelt attribute, with its error. */
void ir_misspelt(const ir_layer *layer, unsigned k, descriptor_mistake *m, error *e);

/* The .bin file beside the .xml, opened when it is first needed. */
typedef struct ir_weights {
    const char *xml; /* its path, or NULL */
    FILE *file;
    bool tried;
    error problem; /* of opening it */
    uint64_t size;
} ir_weights;

/* Turn a layer into an item and visit it. */
typedef struct ir_visitor {
    const check_options *o;
    check_visit *visit;
    void *context;
    ir_weights weights;
    char version[16]; /* of the IR, where it is unknown; else "" */
    check_item item;
    ts_descriptor judge;
} ir_visitor;

bool ir_visit(ir_visitor *v, const ir_layer *layer, error *e);

/* A wrong place in the item's file: an error of usage, "FILE:LINE:COLUMN: ...". Returns false. (check_ir_lists.c) */
bool ir_fail(error *e, const check_item *item, check_place place, const char *format, ...) ERROR_PRINTF(4, 5);

/* ---- lists (check_ir_lists.c) ---- */

#define IR_STEPS TS_MAX_DIMS /* values of a list that are looked at */

/* The lists of a layer, its inputs behind the tensors, as far as the file holds them. */
typedef struct ir_lists {
    const ts_operator *op;
    unsigned list_count;
    const ts_ir_list *lists;
    bool given[IR_MAX_LISTS], known[IR_MAX_LISTS];
    uint32_t count[IR_MAX_LISTS]; /* as stated; may exceed IR_STEPS */
    int64_t values[IR_MAX_LISTS][IR_STEPS];
    bool any_unknown;
} ir_lists;

/* The tensor that is the output; it follows those that are inputs. */
static inline unsigned ir_output_of(const ts_operator *op)
{
    return operator_ir_tensors(op);
}

/* The layer's input that a list is. */
static inline unsigned ir_input_of(const ts_operator *op, unsigned list)
{
    return operator_ir_tensors(op) + list;
}

/* The attribute that a list is. */
static inline unsigned ir_list_attr(const ir_lists *f, unsigned list)
{
    return (unsigned)operator_attr_index(f->op, f->lists[list].attr);
}

/* Is the list a single integer? */
static inline bool ir_is_single(const ir_lists *f, unsigned list)
{
    return f->op->attrs[ir_list_attr(f, list)].count == TS_SCALAR;
}

/* Read the lists as far as the file holds them. False on error only; item.judged is cleared where a length is missing.
 */
bool ir_read_lists(ir_visitor *v, const ir_layer *layer, ir_lists *f, error *e);

#endif
