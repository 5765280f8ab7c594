/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Suggestions: what would be legal where a descriptor breaks a clause, as data: fields and the values that they may
 * get. A clause declares the function that writes its suggestion; those that many clauses share are here. The checker
 * applies each of them to the descriptor before it prints one (suggest_apply.h), and makes the text of it
 * (suggest_text.h).
 */
#ifndef TOUCHSTONE_SUGGEST_H
#define TOUCHSTONE_SUGGEST_H

#include "harness/model/operator.h"

#define SUGGEST_MOST_OPTIONS 8
#define SUGGEST_MOST_EDITS   8
#define SUGGEST_MOST_VALUES  24

typedef enum suggest_kind {
    SUGGEST_TYPE,      /* the DataType of the tensors */
    SUGGEST_SIZE,      /* Sizes[index] of the tensors */
    SUGGEST_DIMS,      /* the DimensionCount of the tensors: sizes of 1 in front, or fewer of the sizes in front */
    SUGGEST_LEADING,   /* so many sizes of 1 in front of those that the tensors have */
    SUGGEST_SHAPE,     /* all sizes of the tensors, and their strides where `strided`: those of `shape` */
    SUGGEST_FIT,       /* the sizes of output tensors: those that follow from the rest */
    SUGGEST_PACKED,    /* no Strides */
    SUGGEST_BYTES,     /* TotalTensorSizeInBytes */
    SUGGEST_ALIGNMENT, /* GuaranteedBaseOffsetAlignment */
    SUGGEST_FLAGS,
    SUGGEST_TENSOR,     /* the tensors are given: the DataType is the first value, the sizes are those of `shape` */
    SUGGEST_NO_TENSOR,  /* they are not */
    SUGGEST_ATTR,       /* value `index` of attribute `attr` */
    SUGGEST_ATTR_GIVEN, /* attribute `attr` is given; its values are chosen by what applies it */
    SUGGEST_NO_ATTR,
    SUGGEST_COUNT,       /* the number of values of the lists that attribute `attr` counts */
    SUGGEST_LENGTH,      /* the number of values of the list `attr` */
    SUGGEST_COMPLETE,    /* nested operator `index` of `attr` has all attributes and no tensor */
    SUGGEST_NESTED,      /* nested operator `index` of `attr` is one of those that may be nested there */
    SUGGEST_NESTED_LESS, /* nested operator `index` of `attr` has no attribute of the value's number */
    SUGGEST_LEVEL,       /* the feature level is the value or a higher one */
    SUGGEST_VALUES, /* the number of values of a list of a tensor, which `text` names; no field of the descriptor */
    SUGGEST_BINDING /* the resource that a file binds to the tensor; no field of the descriptor */
} suggest_kind;

/* Which values a field may get. */
typedef enum suggest_span {
    SUGGEST_LIST,   /* each of `values` */
    SUGGEST_RANGE,  /* from the first of `values` to the second */
    SUGGEST_OR_MORE /* the same, of which the second is the largest that the field holds */
} suggest_span;

/* What one field becomes. Sizes and bytes are unsigned: their values are read as uint64_t. */
typedef struct suggest_edit {
    suggest_kind kind;
    suggest_span span;
    uint32_t tensors; /* a bit each */
    unsigned attr, index;
    unsigned count; /* of values */
    int64_t values[SUGGEST_MOST_VALUES];
    bool strided;
    struct {
        uint32_t rank;
        uint64_t sizes[TS_MAX_DIMS], strides[TS_MAX_DIMS];
    } shape;
    char text[96]; /* of VALUES: the list's name; of BINDING: what would be legal */
} suggest_edit;

/* Edits that are made together. */
typedef struct suggest_option {
    unsigned count;
    suggest_edit edits[SUGGEST_MOST_EDITS];
} suggest_option;

/* Options of which each is enough. Begin it before use. */
struct ts_suggestion {
    unsigned count;
    bool full; /* another option had no room: what is added is left out */
    suggest_option options[SUGGEST_MOST_OPTIONS];
};

static inline void suggest_begin(ts_suggestion *out)
{
    out->count = 0;
    out->full = false;
}

/* Begin another option. The first one need not be begun. */
void suggest_or(ts_suggestion *out);

/* Add an edit to the option that was begun last; what does not fit is left out. */
void suggest_add(ts_suggestion *out, const suggest_edit *edit);

/* Add the edit of a tensor or several, a bit each: a size or another number from low to high, the dimension count and
   all sizes, the type. */
void suggest_size(ts_suggestion *out, uint32_t tensors, unsigned axis, uint64_t low, uint64_t high);
void suggest_tensor_number(ts_suggestion *out, suggest_kind kind, uint32_t tensors, uint64_t low, uint64_t high);
void suggest_sizes(ts_suggestion *out, uint32_t tensors, uint32_t rank, const uint64_t *sizes);
void suggest_type(ts_suggestion *out, uint32_t tensors, uint32_t dtype);
void suggest_fit(ts_suggestion *out, uint32_t tensors);

/* Add options with a whole tensor: of the type and the sizes of each tensor that is there, and the smallest one that
   the support table allows. */
void suggest_tensor(const ts_descriptor *d, unsigned tensor, ts_suggestion *out);

/* Add the edit of value i of the attribute of this name: from low to high, or one of a list. */
void suggest_value(const ts_descriptor *d, ts_suggestion *out, const char *name, unsigned i, int64_t low, int64_t high);
void suggest_values(const ts_descriptor *d, ts_suggestion *out, const char *name, unsigned i, const int64_t *values,
                    unsigned count);

/* Add the edit of how many values lists have: those that the attribute counts, or the list itself. */
void suggest_length(const ts_descriptor *d, ts_suggestion *out, const char *name, uint32_t count);

/* The value of an attribute by its name; the declared `absent` one where it is absent, 0 without such an attribute. */
int64_t suggest_attr(const ts_descriptor *d, const char *name, unsigned i);

/* The data types, and the dimension counts, that the support table allows the violation's tensor. */
ts_suggest suggest_supported_types, suggest_supported_dims;

/* All required tensors and attributes. */
ts_suggest suggest_required;

/* The violation's tensor has a type of the support table, and that of tensor 0 where the table has it. */
ts_suggest suggest_same_type;

/* All tensors have one dimension count: that of one of them, with sizes of 1 in front of the others' sizes, or fewer of
   those. */
ts_suggest suggest_same_dims;

/* The sizes that the operator's `shape` gives the violation's output tensor, where they differ from the stated ones. */
ts_suggest suggest_shape;

#endif
