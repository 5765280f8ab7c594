/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The spec checker: which clauses a descriptor breaks, what would be legal, and at which feature levels it is valid.
 * The reference judges; this room reads files, applies the choices of users, and prints the results.
 */
#ifndef TOUCHSTONE_CHECK_H
#define TOUCHSTONE_CHECK_H

#include "harness/check/source_text.h"
#include "harness/model/descriptor.h"
#include "harness/model/evaluate.h"
#include "harness/model/mention.h"

#define CHECK_MAX_CHOICES 8
#define CHECK_MAX_ALLOWED 64

/* Options of the user. */
typedef struct check_options {
    ts_level level;                         /* judge at this level; 0: the level of the descriptor, else the highest */
    bool profile_given;                     /* the profile overrides that of the descriptor */
    uint32_t profile;                       /* ts_profile */
    ts_decisions decisions;
    const char *choices[CHECK_MAX_CHOICES]; /* rules that operators offer (ts_choice), by their declared names */
    unsigned choice_count;
    const char *allowed[CHECK_MAX_ALLOWED]; /* clauses and rules whose warnings are accepted: check_allow */
    unsigned allowed_count;
    bool go_on;         /* report an unreadable descriptor as an item, and continue behind it */
    bool partly;        /* read a descriptor as far as possible; else the first field that cannot be read is an error */
    bool name_unknown;  /* report a record of an unknown operator as an item; so does `partly` */
    bool allow_overlap; /* do not apply clauses that forbid elements to share an address (ts_clause.forbids_overlap) */
} check_options;

/* Add profiles by their names, with commas between: openvino, numpy, default, and the choices that operators declare.
 */
bool check_add_profile(check_options *o, const char *names, error *e);

/* Did the user request this choice of an operator? */
bool check_has_choice(const check_options *o, const char *name);

/* Judge at the level in d, and add the violations to the report. */
void check_judge(const ts_descriptor *d, const check_options *o, ts_report *report);

/* The status of a report: that of its gravest violation. */
evaluate_status check_status(const ts_report *report);

/* Write what would be legal in this violation's place, everything else unchanged: "InputWindowOffsets[2] = 0 to 2". ""
   where there is nothing to add to the message. */
void check_suggest(const ts_descriptor *d, const ts_violation *v, char *buf, size_t size);

/* Layers of a file that no known operator judges, by type and opset. */
typedef struct check_layer_kind {
    char type[64], opset[32]; /* as the file spells them; "" where it does not say */
    char hint[64];            /* "did you mean Gather?", where one that is judged may be meant; else "" */
    size_t count;
    check_place place; /* of the first one */
} check_layer_kind;

#define CHECK_MAX_LAYER_KINDS 256
typedef struct check_layers {
    size_t total, named; /* layers; those of them whose kind is in the list */
    size_t count;        /* of the list */
    check_layer_kind list[CHECK_MAX_LAYER_KINDS];
} check_layers;

/* Count a layer; the opset may be NULL. Parameters, constants and results compute nothing and are not counted. */
void check_layers_add(check_layers *l, const char *type, const char *opset, check_place place);

/* The most frequent kind first. */
void check_layers_sort(check_layers *l);

/* What was found, from the least grave to the gravest. The gravest of a file decides the exit status. */
typedef enum check_class {
    CHECK_VALID,
    CHECK_WARNED,      /* legal, but worth reporting */
    CHECK_BEYOND,      /* beyond what Touchstone judges: a limit of its own, no verdict */
    CHECK_REFUSED,     /* a named implementation refuses it, though no page says so */
    CHECK_UNSUPPORTED, /* at the feature level */
    CHECK_INVALID,
    CHECK_MISSPELT,  /* a name that does not exist, for which another one is meant */
    CHECK_UNREADABLE /* in part or as a whole */
} check_class;

/* What a file has that is no violation of a clause: of the class BEYOND or REFUSED. */
typedef struct check_finding {
    check_class class;
    const char *rule; /* the id of one of check_rules */
    check_place place;
    char text[256];
} check_finding;

#define CHECK_MAX_FINDINGS 16

/* ---- what files hold --------------------------------------------------------------------------------------- */

/* One descriptor of a file. */
typedef struct check_item {
    const char *file;
    size_t index;        /* in the file, from 1 */
    const char *name;    /* the dispatchable's or the layer's; may be NULL */
    check_place place;   /* line 0 where the format gives none */
    const char *op_name; /* as the file spells it */
    bool known;          /* d is a descriptor of a known operator; with gaps.mistake_count, only a part could be read */
    bool judged;         /* and the file holds enough of it to judge it */
    bool undecided;      /* but not all of it: it is not valid even if no clause is broken */
    bool
        uncomputed; /* a field with which the reference does not compute is given: `eval` and `explain` cannot use it */
    const char *remark; /* why the outputs of a legal descriptor cannot be computed; NULL: they can */
    const char *broken; /* why the item cannot be read; then all else is unset. NULL: it can */
    ts_descriptor d;
    const check_layers *layers;             /* not NULL: the item is no descriptor, but what a file has beside them */
    const char *instead;                    /* not NULL: the file has no descriptor, but is this: "a JSON schema" */
    json_t *inputs;                         /* the record's data by tensor, borrowed; NULL: none, or not wanted */
    uint32_t unknown_attrs;                 /* bit k: values of attribute k are not in the file */
    uint32_t unknown_sizes[TS_MAX_TENSORS]; /* bit i: size i of the tensor is not in the file */
    const char *types[TS_MAX_TENSORS];      /* an unknown data type as the file spells it; else NULL */
    const ts_descriptor *judge;             /* d with legal values in place of unknown ones; NULL: d itself */
    ts_report found;                        /* violations that only the reader of the file can find */
    check_place found_places[TS_MAX_VIOLATIONS]; /* where they are; line 0: at the field that they name */
    descriptor_gaps gaps;                        /* what the descriptor leaves out, and what of it cannot be read */
    ts_bound bounds[TS_MAX_TENSORS][TS_MAX_DIMS]; /* of sizes that are left out, and that rules do not determine */
    uint32_t fitting[TS_MAX_TENSORS]; /* of an output whose type is left out, TS_DTYPE_BIT of each that rules allow; 0:
                                         none, or the type is there */
    check_finding findings[CHECK_MAX_FINDINGS];
    unsigned finding_count, findings_dropped;
    bool misspelt;  /* with !known: the operator's name is nearly that of a known one, which the note names */
    char note[512]; /* what was ignored, assumed or not found; or "" */

    /* Find the place of a field; false where it is unknown. */
    bool (*locate)(const struct check_item *item, const ts_mention *m, check_place *place);
    bool (*locate_mistake)(const struct check_item *item, const descriptor_mistake *m, check_place *place);
    const void *source; /* for both */
} check_item;

/* Called for each descriptor in turn; false stops, with an error. */
typedef bool check_visit(void *context, const check_item *item, error *e);

/* Reset an item for the next descriptor of the file. Members that all items share remain. */
void check_item_begin(check_item *item, check_place place);

/* Read a file by the end of its name (check_reads; "-" is JSON or IR on standard input) and visit every descriptor in
   it. An unreadable descriptor is an EXIT_BAD_USAGE error with file, line and column where known; the descriptors
   before it have been visited then. A file without descriptors is such an error, too. With go_on, an unreadable
   descriptor is visited as a broken item, a file may have no descriptors, and only a file that cannot be read at all is
   an error. */
bool check_read_file(const char *path, const check_options *o, check_visit *visit, void *context, error *e);

/* Is this the name of a file that check_read_file reads, by its end (CHECK_ENDINGS) or as "-"? */
bool check_reads(const char *path);
#define CHECK_ENDINGS ".json, .jsonc, .lua, .xml or .bin"

/* Visit the layers of an IR in memory. `path` is that of the .xml, beside which the .bin file is; or NULL. */
bool check_read_ir(source_text *t, const char *path, const check_options *o, check_visit *visit, void *context,
                   error *e);

/* Mark the item as unreadable, with the reason and place from the text of the error, which names the file. The reason
   points into the error. */
void check_item_break(check_item *item, const error *e);

/* Handle an item that could not be read, as described by *e. With go_on, and if the file is the cause, visit the item
   as broken and return the result of the visit; else return false. */
bool check_item_unreadable(check_item *item, const check_options *o, check_visit *visit, void *context, error *e);

/* Read a descriptor: with `partly` as far as possible, with what cannot be read in item->gaps; else completely. */
bool check_read_descriptor(const ts_operator *op, json_t *json, const check_options *o, check_item *item, error *e);

/* Append to the note, after a semicolon. */
void check_note(check_item *item, const char *format, ...) ERROR_PRINTF(2, 3);

/* Add to item->found a violation of a clause that operator_clause has, about a tensor or, with -1, none; with its
   place, or line 0. */
void check_found(check_item *item, const char *clause, int tensor, check_place place, const char *format, ...)
    ERROR_PRINTF(5, 6);

/* Judge an item at a level, 0 for its own. The report includes item->found, but nothing that depends on a field that
   was not read. */
void check_judge_item(const check_item *item, const check_options *o, ts_level level, ts_report *report);

/* Apply level and profile of the options to a descriptor. */
void check_settle(ts_descriptor *d, const check_options *o);

#endif
