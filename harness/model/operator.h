/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operators: one operation of one specification, declared once as data and a few functions. Access from Lua, JSON, ids,
 * reports and the calls of plugins are derived from the declaration.
 */
#ifndef TOUCHSTONE_OPERATOR_H
#define TOUCHSTONE_OPERATOR_H

#include "harness/base/format.h"
#include "harness/model/answers.h"
#include "harness/model/tensor.h"

#define TS_MAX_TENSORS    18
#define TS_MAX_LISTED     16 /* tensors of a list */
#define TS_MAX_ATTRS      16
#define TS_MAX_ATTR_BYTES 768
#define TS_MAX_VIOLATIONS 40 /* two of each tensor fit */

/* ---- the declaration --------------------------------------------------------------------------------------- */

typedef enum ts_role { TS_INPUT, TS_OUTPUT } ts_role;

typedef struct ts_tensor_decl {
    const char *name;  /* "InputTensor" */
    const char *alias; /* short name: "in" */
    ts_role role;
    bool optional;
} ts_tensor_decl;

/* A list of tensors: consecutive tensors of the declaration, each of them optional, of which an attribute says how many
   a call has. The names of its members are those of TS_TENSOR_LIST. */
typedef struct ts_tensor_list {
    const char *name;  /* "InputTensors" */
    const char *alias; /* "in" */
    unsigned first;    /* the declared index of its first member */
    unsigned most;     /* how many members are declared */
    unsigned count;    /* the attribute that counts them: a scalar of type U32 that `counts` */
} ts_tensor_list;

/* The members of a list of TS_MAX_LISTED tensors: "InputTensors[0]" to "InputTensors[15]". */
#define TS_TENSOR_LIST_MEMBER(name, alias, role, k)                                                                    \
    {                                                                                                                  \
        name "[" #k "]", alias #k, role, true                                                                          \
    }
#define TS_TENSOR_LIST(name, alias, role)                                                                              \
    TS_TENSOR_LIST_MEMBER(name, alias, role, 0), TS_TENSOR_LIST_MEMBER(name, alias, role, 1),                          \
        TS_TENSOR_LIST_MEMBER(name, alias, role, 2), TS_TENSOR_LIST_MEMBER(name, alias, role, 3),                      \
        TS_TENSOR_LIST_MEMBER(name, alias, role, 4), TS_TENSOR_LIST_MEMBER(name, alias, role, 5),                      \
        TS_TENSOR_LIST_MEMBER(name, alias, role, 6), TS_TENSOR_LIST_MEMBER(name, alias, role, 7),                      \
        TS_TENSOR_LIST_MEMBER(name, alias, role, 8), TS_TENSOR_LIST_MEMBER(name, alias, role, 9),                      \
        TS_TENSOR_LIST_MEMBER(name, alias, role, 10), TS_TENSOR_LIST_MEMBER(name, alias, role, 11),                    \
        TS_TENSOR_LIST_MEMBER(name, alias, role, 12), TS_TENSOR_LIST_MEMBER(name, alias, role, 13),                    \
        TS_TENSOR_LIST_MEMBER(name, alias, role, 14), TS_TENSOR_LIST_MEMBER(name, alias, role, 15)

/* What a support table says of each member of such a list. */
#define TS_FOR_LIST(...)                                                                                               \
    __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__,            \
        __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__

typedef enum ts_attr_type {
    TS_ATTR_U32,
    TS_ATTR_I32,
    TS_ATTR_I64,
    TS_ATTR_BIT,     /* uint8_t each, 0 or 1 legal, other values representable */
    TS_ATTR_BOOL,    /* uint32_t each, 0 is false */
    TS_ATTR_F32,     /* float each; as a value it is its bits: 0x3f800000 is 1 */
    TS_ATTR_UNION,   /* 8 bytes, which hold a number of the data type that another attribute names, zero-extended */
    TS_ATTR_OPERATOR /* ts_nested_operator each; as a value it is its `op` */
} ts_attr_type;

#define TS_MAX_NESTED 12

/* The description of an operator inside of another's: a fused activation. Its attributes' values are in declared order,
   each list of them behind its length. */
typedef struct ts_nested_operator {
    uint32_t op;          /* its number in ts_attr_decl.operators, from 1; 0: an operator that is not among them */
    uint32_t tensors;     /* bit k: its tensor k is given */
    uint32_t attrs_given; /* bit k: its attribute k is given */
    uint32_t values[TS_MAX_NESTED];
} ts_nested_operator;

/* How many values an attribute has. */
typedef enum ts_attr_count {
    TS_SCALAR,
    TS_RECORD, /* as many as it has members, which a file writes as a record of their names */
    TS_ARRAY   /* as many as the uint32_t at count_offset says, at most `capacity` stored */
} ts_attr_count;

struct ts_operator;

/* One attribute: a field of the operator's attribute structure. */
typedef struct ts_attr_decl {
    const char *name;  /* "InputWindowOffsets" */
    const char *alias; /* "offset" */
    ts_attr_type type;
    ts_attr_count count;
    uint16_t offset;          /* of the field */
    uint16_t count_offset;    /* TS_ARRAY: of the uint32_t that counts it; several arrays may share one */
    uint16_t capacity;        /* TS_ARRAY: the most values that can be stored */
    bool optional;            /* may be absent */
    bool counts;              /* this scalar is the count of arrays or of a list of tensors, and is set with them if it
                                 is left out */
    int64_t absent;           /* the value of every element of an absent optional attribute */
    const char *const *names; /* of an enumeration: the names of its values 0, 1, ..., then NULL; else NULL */
    const char *bit_clause;   /* TS_ATTR_BIT: the clause that a value other than 0 and 1 breaks */
    const char *const *members;                 /* TS_RECORD: the names of its values, `capacity` of them */
    uint16_t type_offset;                       /* TS_ATTR_UNION: of the uint32_t that holds its data type */
    const struct ts_operator *const *operators; /* TS_ATTR_OPERATOR: those that it may be, then NULL */
} ts_attr_decl;

#define TS_DTYPE_BIT(dtype) (1u << (dtype))

/* One row of a support table: from this level on, these dimension counts and types per tensor, in declared order. */
typedef struct ts_support_row {
    ts_level level; /* 0: the specification has no levels */
    struct {
        uint8_t min_dims, max_dims;
        uint32_t dtypes; /* TS_DTYPE_BIT of each */
    } tensors[TS_MAX_TENSORS];
} ts_support_row;

/* What a clause rests on. Only the first two bind a backend: operator_binds. */
typedef enum ts_basis {
    TS_STATED,  /* a sentence of the page */
    TS_IMPLIED, /* an example, a formula, sentences or arithmetic that leave one reading; `ground` names them */
    TS_DECIDED, /* nothing published settles it, or editions differ: it is our decision */
    TS_OBSERVED /* an implementation does it, and no page says so */
} ts_basis;

/* Do clauses that rest on a decision or an observation bind, too? */
typedef enum ts_decisions { TS_DECISIONS_OPEN, TS_DECISIONS_BINDING } ts_decisions;

/* What a broken clause means. */
typedef enum ts_result {
    TS_RESULT_NONE,           /* a definition or a semantic rule, which no descriptor can break */
    TS_RESULT_WARNING,        /* legal, but worth reporting */
    TS_RESULT_INVALID,        /* violates a stated constraint */
    TS_RESULT_UNSUPPORTED_FL, /* valid only at a higher feature level */
    TS_RESULT_BIND_ERROR,     /* wrong at bind time, not in the descriptor */
    TS_RESULT_UNSPECIFIED,    /* accepted, but the specification leaves the output, or some of its elements, undefined */
    TS_RESULT_OPEN            /* breaks a clause that binds nobody: the specification does not say whether it is legal */
} ts_result;

typedef struct ts_descriptor ts_descriptor;
typedef struct ts_violation ts_violation;
typedef struct ts_explanation ts_explanation; /* harness/model/explain.h */
typedef struct ts_suggestion ts_suggestion;   /* harness/model/suggest.h */

/* Writes what would be legal where a clause is broken, with everything else unchanged: "InputWindowSizes[2] = 1 to 4".
   Writes nothing where the clause itself says as much. Works on any garbage. */
typedef void ts_suggest(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out);

typedef struct ts_clause {
    const char *id;      /* "SL-05" */
    const char *text;    /* one line */
    const char *page;    /* the published page: "DML_SLICE1_OPERATOR_DESC" */
    const char *section; /* its section: "InputWindowOffsets" */
    ts_basis basis;
    ts_result result;     /* the gravest result of breaking it, where it binds; TS_RESULT_OPEN is no such result */
    ts_suggest *suggest;  /* NULL: no suggestion, or the output sizes that `shape` gives */
    bool forbids_overlap; /* a policy about elements that share an address, which a user may switch off */
    const char *ground;   /* what an implied clause follows from: "example 1 passes IndexDimensions 1 for one dimension";
                             of a decided or observed one, why no page settles it; NULL of a stated one */
    const char *refused_by; /* the implementation that refuses what breaks a clause that does not bind: "DirectML
                               1.15.4"; NULL: none is known */
    bool computes;          /* of one that does not bind: `run` computes what breaks it, and what that means is plain or
                               our decision. A case that breaks it is executed; else it only asks for an answer */
} ts_clause;

/* Can breaking this clause make a descriptor illegal, and a backend wrong? */
static inline bool operator_binds(const ts_clause *c)
{
    return c->basis == TS_STATED || c->basis == TS_IMPLIED;
}

/* ---- one descriptor ---------------------------------------------------------------------------------------- */

/* One concrete call before any data. Plain old data: copied and compared as bytes once zeroed. */
struct ts_descriptor {
    const struct ts_operator *op;
    uint32_t profile;       /* ts_profile */
    ts_level feature_level; /* checked at this level; 0: at the highest */
    uint32_t attrs_given;   /* bit k: attribute k is present */
    uint32_t decisions;     /* ts_decisions: how operator_check judges */
    ts_tensor tensors[TS_MAX_TENSORS]; /* in declared order; `data` is set only to run */
    union {
        unsigned char attrs[TS_MAX_ATTR_BYTES]; /* the operator's attribute structure */
        uint64_t align;
    };
};

/* One violated clause with the place and the values. */
struct ts_violation {
    const char *clause; /* "SL-05" */
    ts_result result;
    ts_level needs;      /* UNSUPPORTED_FL: the lowest level that would accept it; 0: none does */
    int tensor;          /* declared index, or -1 */
    int axis;            /* dimension, or -1 */
    uint64_t required;   /* the only size that the clause allows at this axis; 0: it allows others, or is about more */
    ts_suggest *suggest; /* what would be legal; NULL: as the clause declares */
    char text[176]; /* "InputWindowOffsets[2] + InputWindowSizes[2] = 3 + 2 = 5 exceeds InputTensor.Sizes[2] = 4" */
};

/* The result of `check`. Zero it before use. */
typedef struct ts_report {
    const struct ts_operator *op; /* set by operator_check: with it, what breaks a clause that does not bind is */
    ts_decisions decisions;       /* TS_RESULT_OPEN, unless decisions bind */
    unsigned count;   /* of violations and warnings stored */
    unsigned dropped; /* beyond TS_MAX_VIOLATIONS */
    ts_result worst;  /* the gravest result among all that were found, dropped ones included; see operator_graver */
    struct ts_solution *solution; /* where rules store sizes that are open (ts_operator.solve); NULL: nobody asks */
    ts_violation items[TS_MAX_VIOLATIONS];
} ts_report;

/* A known interpretation of what the specification leaves unspecified: an entry of the ledger. */
typedef struct ts_interpretation {
    const char *entry;                   /* "E-GA-10" */
    const char *name;                    /* "flat clamp" */
    void (*run)(const ts_descriptor *d); /* as ts_operator.run, by this interpretation; NULL: `name` is our decision, */
    const char *numpy;                   /* and the decision of profile numpy if it differs; else NULL */
} ts_interpretation;

/* What rules say of a size that they leave open. */
typedef struct ts_bound {
    uint64_t least, most; /* 0: the rules set no such bound */
    const char *clause;   /* the rule's: "OP-11"; NULL: no rule is about the size */
} ts_bound;

/* A choice of `touchstone check --profile`: a rule that users may add to the operator's clauses. */
typedef void ts_choice_check(const ts_descriptor *d, ts_report *report);
typedef struct ts_choice {
    const char *name; /* "strict_shrink" */
    ts_choice_check *check;
    ts_suggest *suggest; /* for the violations that `check` reports */
    uint32_t compares;   /* bit k: the values of attribute k count; skipped where a file does not hold them */
} ts_choice;

/* An input of an IR layer that is a list of integers, or of a scalar attribute a single one, and an attribute of the
   operator here. */
typedef struct ts_ir_list {
    const char *attr;      /* "begin" */
    const int64_t *trials; /* the values that reach the smallest and largest outputs, tried where the file does not hold
                              the list; the first of them breaks no clause */
    unsigned trial_count;
    const char *index_mask; /* a TS_ATTR_BIT list: where it is 1 the value is an index, and 0 is tried; or NULL */
} ts_ir_list;

/* How OpenVINO's IR writes a call of the operator: as a layer whose first inputs are the operator's input tensors,
   which precede its output, whose further inputs are lists, and whose output is the operator's only one. All other
   attributes are attributes of the layer's <data>. */
typedef struct ts_ir_layer {
    const char *type;        /* "StridedSlice" */
    const char *opset;       /* "opset1" */
    const char *list_clause; /* broken by a list that does not have one dimension and an integer type, and by a single
                                integer with more values */
    unsigned list_count;
    const ts_ir_list *lists;
    const char *until; /* "opset12", the first opset that holds a later version, if that is no operator here; or NULL */
} ts_ir_layer;

/* One operator. */
typedef struct ts_operator {
    const char *name;        /* "dml.slice1" */
    const char *title;       /* "DML_SLICE1_OPERATOR_DESC", the specification's own name */
    const char *other_title; /* another name that the specification gives it, or NULL */
    const char *page;        /* its address */
    unsigned tensor_count;
    const ts_tensor_decl *tensors;
    unsigned list_count; /* of lists of tensors */
    const ts_tensor_list *lists;
    unsigned attr_count;
    const ts_attr_decl *attrs;
    size_t attrs_size;
    unsigned support_count; /* rows in ascending order of level */
    const ts_support_row *support;
    uint32_t unjudged; /* TS_DTYPE_BIT of the data types (operator_typed) whose results the specification does not determine
                          to the bit, such as sums of floats in an open order; examples that are printed are judged */
    unsigned clause_count;
    const ts_clause *clauses; /* the operator's own, */
    unsigned shared_count;
    const ts_clause *shared;  /* and those of its specification (BUF-01...), or NULL */
    const char *run_clause;   /* the clause that a wrong element violates: "SL-10" */
    const char *copy_clause;  /* and one that has the right origin and other bits: "SL-11"; NULL: run_clause */
    const char *index_clause; /* and one whose origin a negative index selects: "GA-11"; NULL: run_clause */
    const char *shape_clause; /* and a wrong output shape: "SL-08" */
    const char *write_clause; /* and a write outside of the tensors: "BUF-19"; NULL: no clause forbids it */
    const char *read_clause;  /* and a read outside of the tensors: "BUF-16"; NULL: no clause forbids it */
    bool openvino_types;      /* spell data types as OpenVINO does */
    const char *undefined;    /* the ledger entry about the elements that `run` marks as undefined, or NULL */
    const char *several;      /* the ledger entry about those that `run` marks as having several answers, or NULL */
    /* The clauses by which a call that has such elements must succeed: "GA-12". NULL: no page says so; a backend may
       refuse the call, and its answer is recorded. */
    const char *accepts_undefined, *accepts_several;
    uint32_t copied;          /* bit k: elements of input k are copied to outputs; 0: those of tensor 0 alone */
    bool in_place;            /* the specification allows the output to be in the memory of tensor 0 */
    const uint32_t *data_dependent; /* by tensor, bit k: the size of dimension k of this output depends on the values of
                                       inputs (operator_report_shape); NULL: no size does */
    unsigned interpretation_count;
    const ts_interpretation *interpretations; /* names an observed behaviour by the first that fits */
    unsigned choice_count;
    const ts_choice *choices;
    const ts_ir_layer *ir;              /* NULL: OpenVINO's IR has no such layer */
    const char *const *unjudged_fields; /* fields of the specification that the reference does not judge, then NULL; or
                                           NULL */

    /* Report every violated clause, with axis and values. 64-bit arithmetic; any garbage; never reads data. Call it by
       operator_check. */
    void (*check)(const ts_descriptor *d, ts_report *report);

    /* Set rank and sizes of the outputs whose sizes the specification determines (the largest legal ones if it leaves a
       choice, or if they depend on data), from inputs and attributes. False if they cannot be determined; the outputs
       are unchanged then. The tensors' other fields are unchanged. */
    bool (*shape)(ts_descriptor *d);

    /* Set the dimension counts, and the sizes as far as the rules determine them, of the outputs whose bits are in
       `open`; their other sizes become 0. What the descriptor says of other outputs counts. Returns the bits of those
       that have a size of 0; with `bounds`, which are zeroed, the sizes that remain possible. NULL: `shape` alone says
       what outputs are. */
    uint32_t (*solve)(ts_descriptor *d, uint32_t open, ts_bound bounds[TS_MAX_TENSORS][TS_MAX_DIMS]);

    /* Compute the outputs of a descriptor that check accepts; every present tensor has data. Output elements that the
       specification leaves undefined, or allows several values, are marked in *unspecified (and get the value of our
       decision). Outputs that are data_dependent get their shape by operator_report_shape. */
    void (*run)(const ts_descriptor *d, ts_unspecified *unspecified); /* NULL: the operator is checked, not computed */

    /* Name every value that the specification allows for the element at coord[TS_MAX_DIMS] of output `tensor`, by
       operator_allow: one or several; of an undefined element it may name none. The inputs have data. NULL: no element
       has several. */
    void (*answers)(const ts_descriptor *d, unsigned tensor, const uint64_t *coord, ts_answers *answers);

    /* Explain step by step how the rules determine the output elements, with the values of inputs that have data.
       Accepts any garbage and explains it as far as possible. NULL: this operator has no explanation. */
    void (*explain)(const ts_descriptor *d, ts_explanation *out);
} ts_operator;

/* The type of `explain`, to declare one by: `ts_explain dml_slice1_explain;`. */
typedef void ts_explain(const ts_descriptor *d, ts_explanation *out);

/* ---- for the reference files ------------------------------------------------------------------------------- */

/* Does the reference compute the operator's outputs? If not, it checks descriptors alone. */
static inline bool operator_computes(const ts_operator *op)
{
    return op->run != NULL;
}

/* Has the operator cases of its own, which are executed and compared? If not, the tests `legal` and `invalid` of query
   `validation` ask backends about its descriptors. */
static inline bool operator_has_cases(const ts_operator *op)
{
    return operator_computes(op);
}

/* The attribute structure of a descriptor. */
#define TS_ATTRS(type, d) ((const type *)(const void *)(d)->attrs)

/* The dimensions of tensor t whose size depends on the values of inputs, a bit each. */
static inline uint32_t operator_dependent(const ts_operator *op, unsigned t)
{
    return op->data_dependent ? op->data_dependent[t] : 0;
}

/* Say which shape an output has that is data_dependent: of the rank that `shape` gives, with these sizes, which are at
   most those that `shape` gives. Returns the tensor whose elements `run` has to write: packed in that shape, from the
   start of the output's data. */
ts_tensor operator_report_shape(const ts_tensor *out, const uint64_t *sizes);

/* Add one violation with the given result, unless report is NULL. tensor and axis may be -1. The text names fields and
   values. */
void operator_violate(ts_report *report, const char *clause, ts_result result, int tensor, int axis, const char *format,
                      ...) TS_PRINTF(6, 7);

/* Check data types and dimension counts of all present tensors against the support table at d->feature_level. The
   violations have these clause ids: the operator's level, and per tensor the dimension counts and the types (arrays of
   tensor_count ids; a NULL id is not checked). A value that no row allows is INVALID, a value of a higher row is
   UNSUPPORTED_FL with that row's level. */
void operator_check_support(const ts_descriptor *d, ts_report *report, const char *level_clause,
                            const char *const *dims_clauses, const char *const *dtype_clauses);

/* Report every required tensor and attribute that is absent (a null pointer) as INVALID under this clause, except
   scalars that count arrays. Of a list, as many tensors are required as its count says. True if none is absent. */
bool operator_check_given(const ts_descriptor *d, ts_report *report, const char *clause);

/* The required attributes that the descriptor does not have, a bit each. */
uint32_t operator_missing_attrs(const ts_descriptor *d);

/* ---- for the engine ---------------------------------------------------------------------------------------- */

/* The clause that a number in a file breaks if its field's type cannot hold it. It applies to every operator and is in
   no operator's list. */
extern const ts_clause operator_range_clause;

/* The clause that lists in a file break if their lengths contradict each other. */
extern const ts_clause operator_count_clause;

/* The clauses of what a file says around its descriptors: edges of graphs, and resources that are bound. They apply to
   every operator and are in no operator's list. */
#define OPERATOR_FILE_CLAUSES 6
extern const ts_clause operator_file_clauses[OPERATOR_FILE_CLAUSES];

/* Let a report judge as this descriptor wants it, before violations are added that operator_check does not find. */
void operator_begin_report(const ts_descriptor *d, ts_report *report);

/* Report every violated clause of a descriptor. What breaks a clause that rests on a decision or an observation is
   TS_RESULT_OPEN, unless d->decisions says that these bind. */
void operator_check(const ts_descriptor *d, ts_report *report);

/* "open" or "binding"; and by its name. */
const char *operator_decisions_name(ts_decisions decisions);
bool operator_decisions_named(const char *name, ts_decisions *decisions);

/* "stated", "implied", "decided" or "observed" */
const char *operator_basis_name(ts_basis basis);

/* The clauses of the contract in backends/backend.h, which binds every backend whatever the operator: ABI-01 to ABI-06.
   They are in no operator's list. */
enum {
    OPERATOR_COMES_BACK,
    OPERATOR_EXECUTES,
    OPERATOR_READS,
    OPERATOR_WRITES,
    OPERATOR_KEEPS_INPUTS,
    OPERATOR_REPEATS,
    OPERATOR_CONTRACT_CLAUSES
};
extern const ts_clause operator_contract_clauses[OPERATOR_CONTRACT_CLAUSES];

/* Append the violations of another report. */
void operator_add_report(ts_report *report, const ts_report *other);

/* The inputs, a bit each, whose elements the operator copies to its outputs. */
static inline uint32_t operator_copied(const ts_operator *op)
{
    return op->copied ? op->copied : 1;
}

/* The operator's specification's name of a data type; if it has none, another specification's; "UNKNOWN" if it is no
   data type. */
const char *operator_dtype_name(const ts_operator *op, uint32_t dtype);

/* The width of a column of names of the operator's attributes and tensors: that of the longest one, at least 20. */
int operator_name_width(const ts_operator *op);

/* The row of the support table that holds at a level, 0 being the highest; NULL below the first row. */
const ts_support_row *operator_support_row(const ts_operator *op, ts_level level);

/* Is a violation of this clause among those stored? */
bool operator_reports(const ts_report *report, const char *clause);

/* The pages of clauses that stand for every operator, and for every structure: operator_clause_page names them. */
#define OPERATOR_OWN_PAGE       "the operator's own page"
#define OPERATOR_STRUCTURE_PAGE "the structure's own page"

/* A clause by id, the operator's own, its specification's, or one of those that are in no operator's list; or NULL. */
const ts_clause *operator_clause(const ts_operator *op, const char *id);

/* The name of the page that a clause is on. One that stands for every structure is on the page of the operator, or for
   the tensor of a violation (-1: none) on that of DirectML's tensors. */
const char *operator_clause_page(const ts_operator *op, const ts_clause *clause, int tensor);

/* The lowest level whose row accepts the types and dimension counts of all present tensors; false if none does.
 *level is 0 for a specification without levels. */
bool operator_lowest_level(const ts_descriptor *d, ts_level *level);

/* Is result a graver than b? INVALID > BIND_ERROR > UNSUPPORTED_FL > OPEN > UNSPECIFIED > WARNING > NONE. */
bool operator_graver(ts_result a, ts_result b);

/* Does the operator's specification know feature levels? */
bool operator_has_levels(const ts_operator *op);

/* Is this result of a broken clause no statement of the specification? One without feature levels supports all that is
   legal: what is "unsupported" there exceeds a limit of Touchstone. */
bool operator_is_limit(const ts_operator *op, ts_result result);

/* Start a descriptor: all zero but op, with every attribute absent and every tensor absent. */
void operator_begin(ts_descriptor *d, const ts_operator *op);

/* The same, except that the tensors behind the operator's stay as they are: for what is begun for each class of cases,
   as clearing the whole room for tensors took a tenth of the time of tests with many classes. */
void operator_begin_again(ts_descriptor *d, const ts_operator *op);

/* The call of a descriptor for a backend: to be executed, without a token, at the descriptor's feature level. It points
   into the descriptor. */
static inline ts_call operator_call(const ts_descriptor *d)
{
    return (ts_call){ .struct_size = sizeof(ts_call),
                      .tensor_size = sizeof(ts_tensor),
                      .op = d->op->name,
                      .attrs = d->attrs,
                      .attrs_size = (uint32_t)d->op->attrs_size,
                      .attrs_given = d->attrs_given,
                      .tensor_count = d->op->tensor_count,
                      .profile = d->profile,
                      .feature_level = d->feature_level,
                      .tensors = d->tensors };
}

/* The type of an output that is not stated: that of tensor 0; if the operator's outputs have types of their own, the
   one with which the descriptor breaks the fewest clauses. */
uint32_t operator_output_type(const ts_descriptor *d, unsigned tensor);

/* Set data_dependent of the tensors as the operator declares it: for a call. */
void operator_mark_dependent(ts_descriptor *d);

/* Does a shape differ from another one? Sizes behind the rank do not count. */
bool operator_shape_differs(const ts_shape *a, const ts_shape *b);

/* An output as its elements lie after the call: in the shape that was reported, if it is data_dependent; else as the
   descriptor states it. shape: as operator_report_shape or a backend wrote it. */
ts_tensor operator_result(const ts_descriptor *d, unsigned tensor, const ts_shape *shape);

/* The descriptor of a call that a backend received: the inverse of operator_call. False if the call does not have the
   operator's number of tensors, or has more bytes of attributes than a descriptor holds. */
bool operator_of_call(ts_descriptor *d, const ts_operator *op, const ts_call *call);

/* The number of input tensors of an operator whose only output is behind them: the first inputs of its IR layer. */
unsigned operator_ir_tensors(const ts_operator *op);

/* Which of the operator's IR lists attribute k is, or -1: it is an attribute of the layer's <data>. */
int operator_ir_list(const ts_operator *op, unsigned k);

/* The tensor whose data type is that of a case: the first one that may have several types, else tensor 0. */
static inline unsigned operator_typed(const ts_operator *op)
{
    for (unsigned t = 0; op->support_count && t < op->tensor_count; ++t) {
        const uint32_t types = op->support[op->support_count - 1].tensors[t].dtypes;
        if (types & (types - 1))
            return t;
    }
    return 0;
}

/* The data type of a case. */
static inline uint32_t operator_dtype(const ts_descriptor *d)
{
    return d->tensors[operator_typed(d->op)].dtype;
}

/* Are the results of cases of this data type judged? */
static inline bool operator_judges(const ts_operator *op, uint32_t dtype)
{
    return dtype >= TS_DTYPE_COUNT || !(op->unjudged & TS_DTYPE_BIT(dtype));
}

/* An attribute or tensor by name or alias: its index, or -1. */
int operator_attr_index(const ts_operator *op, const char *name);
int operator_tensor_index(const ts_operator *op, const char *name);

/* The list that a tensor is a member of, or NULL; a list by name or alias, or NULL. */
const ts_tensor_list *operator_list_of(const ts_operator *op, unsigned tensor);
const ts_tensor_list *operator_list_named(const ts_operator *op, const char *name);

/* How many members a descriptor's list has by its count: at most l->most, whatever the count is. */
unsigned operator_list_length(const ts_descriptor *d, const ts_tensor_list *l);

/* Is this tensor there: given, and no member behind the end of a list? */
bool operator_has_tensor(const ts_descriptor *d, unsigned tensor);

/* The name of a tensor as a field of the specification: that of its list, or its own. */
static inline const char *operator_field_of_tensor(const ts_operator *op, unsigned tensor)
{
    const ts_tensor_list *l = operator_list_of(op, tensor);
    return l ? l->name : op->tensors[tensor].name;
}

/* Does a field of the specification begin with this tensor: one of its own, or a list? */
static inline bool operator_begins_field(const ts_operator *op, unsigned tensor)
{
    const ts_tensor_list *l = operator_list_of(op, tensor);
    return !l || l->first == tensor;
}

/* How many names the values of an attribute have: 0 if it is no enumeration. */
unsigned operator_name_count(const ts_attr_decl *a);

/* The value of an enumeration of this name, with or without what its names begin with: "CONSTANT" or
   "DML_PADDING_MODE_CONSTANT". -1: there is none. */
int64_t operator_value_named(const ts_attr_decl *a, const char *name);

/* Nested operator i of attribute k, which has type OPERATOR; all zero if there is none. */
ts_nested_operator operator_nested(const ts_descriptor *d, unsigned k, unsigned i);

/* The descriptor of a nested operator, without tensors; false if it is none of a->operators. */
bool operator_of_nested(ts_descriptor *d, const ts_attr_decl *a, const ts_nested_operator *nested);

/* The inverse: what of a descriptor a nested operator holds. `number` is that of the operator, from 1. */
ts_nested_operator operator_to_nested(const ts_descriptor *d, uint32_t number);

/* The smallest and the largest value that an attribute of this type can hold, and the bytes of one. */
typedef struct ts_attr_range {
    int64_t min, max;
    size_t bytes;
} ts_attr_range;
ts_attr_range operator_attr_range(ts_attr_type type);

/* Store n nested operators as attribute k, which has type OPERATOR, as operator_set_attr does. */
bool operator_set_nested(ts_descriptor *d, unsigned k, const ts_nested_operator *nested, size_t n);

/* Store n values (1 for a scalar, as many as it has members for a record) of attribute k and mark it present. If a
   value does not fit the field's type or n exceeds the capacity, returns false and stores nothing. For an array, the
   unused rest is zeroed and its count is set, unless the scalar that counts it was set before. */
bool operator_set_attr(ts_descriptor *d, unsigned k, const int64_t *values, size_t n);

/* Read attribute k: the number of values it states (1 for a scalar, 0 for an absent array or record, and possibly more
   than its capacity) and value i, which is the declared `absent` value if none is stored. */
uint32_t operator_attr_count(const ts_descriptor *d, unsigned k);
int64_t operator_attr_value(const ts_descriptor *d, unsigned k, unsigned i);

#endif
