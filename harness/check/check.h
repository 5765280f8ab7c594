/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The spec checker: which clauses a descriptor breaks, what would be legal, and at which feature levels it is valid.
 * The reference judges; here stand the documented choices that users make on top of it, and what is derived from its
 * answers.
 */
#ifndef TOUCHSTONE_CHECK_H
#define TOUCHSTONE_CHECK_H

#include "harness/check/source_text.h"
#include "harness/model/evaluate.h"
#include "harness/model/mention.h"

#define CHECK_MAX_CHOICES 8

/* What a user asks for. */
typedef struct check_options {
    ts_level level;                         /* judge at this one; 0: what the descriptor says, else the highest */
    bool profile_given;                     /* the profile wins over the descriptor's */
    uint32_t profile;                       /* ts_profile */
    const char *choices[CHECK_MAX_CHOICES]; /* rules that operators offer (ts_choice), by their declared names */
    unsigned choice_count;
    bool go_on;         /* what cannot be read becomes an item of its own, and reading goes on behind it */
    bool allow_overlap; /* elements of an output may share an address (BUF-12 is our own policy) */
} check_options;

/* Add profiles by their names, with commas between: openvino, numpy, default, and the choices that operators declare.
 */
bool check_add_profile(check_options *o, const char *names, error *e);

/* Is the choice of an operator among those that the user asks for? */
bool check_has_choice(const check_options *o, const char *name);

/* Judge at the level in d, and add what is found to the report. */
void check_judge(const ts_descriptor *d, const check_options *o, ts_report *report);

/* What a report comes to. */
evaluate_status check_status(const ts_report *report);

/* Write what would be legal in this violation's place, everything else unchanged: "InputWindowOffsets[2] = 0 to 2". ""
   where there is nothing to add to the message. */
void check_suggest(const ts_descriptor *d, const ts_violation *v, char *buf, size_t size);

/* ---- what files hold --------------------------------------------------------------------------------------- */

/* One descriptor of a file. */
typedef struct check_item {
    const char *file;
    size_t index;        /* in the file, from 1 */
    const char *name;    /* the dispatchable's or the layer's; may be NULL */
    check_place place;   /* line 0 where the format gives none */
    const char *op_name; /* as the file spells it */
    bool known;          /* d is a descriptor of an operator that is known here */
    bool judged;         /* and enough of it is in the file to judge it */
    bool undecided;      /* but not all of it: that no clause is broken says little */
    const char *broken;  /* why it cannot be read, and then nothing else is known of it; NULL: it can */
    ts_descriptor d;
    json_t *inputs;                         /* the record's data by tensor, borrowed; NULL: none, or none wanted */
    uint32_t unknown_attrs;                 /* bit k: attribute k has values that the file does not tell */
    uint32_t unknown_sizes[TS_MAX_TENSORS]; /* bit i: so has size i of the tensor */
    const char *types[TS_MAX_TENSORS];      /* a tensor's type as the file spells it, where it is none known here */
    const ts_descriptor *judge;             /* with the unknown filled so that it breaks no clause; NULL: d itself */
    ts_report found;                        /* what only the reader of the file can see */
    char note[512];                         /* what was ignored, assumed or could not be told; "" where nothing was */

    /* Where a field stands; false where that is not known. */
    bool (*locate)(const struct check_item *item, const ts_mention *m, check_place *place);
    const void *source; /* for locate */
} check_item;

/* Called for each descriptor in turn; false stops, with an error. */
typedef bool check_visit(void *context, const check_item *item, error *e);

/* Start the next item of a file, all but what all of them share. */
void check_item_begin(check_item *item, check_place place);

/* Read a file by the end of its name (.json, .lua, .xml; "-" is JSON on standard input) and visit every descriptor in
   it. An unreadable one is an EXIT_BAD_USAGE error with file, line and column where there are any; descriptors before
   the mistake have been visited by then. A file without any descriptor is such an error, too. With go_on an unreadable
   descriptor is visited as a broken item, a file may be without any, and only a file that cannot be read at all is an
   error. */
bool check_read_file(const char *path, const check_options *o, check_visit *visit, void *context, error *e);

/* The part of it for OpenVINO's IR, in memory; `path` is where the .bin file is beside, or NULL. */
bool check_read_ir(source_text *t, const char *path, const check_options *o, check_visit *visit, void *context,
                   error *e);

/* Make the item one that cannot be read: the reason and its place are taken out of the error's text, which names the
   file. They live as long as the error does. */
void check_item_break(check_item *item, const error *e);

/* An item could not be read, as *e says. With go_on, and where the file is to blame, visit it as broken and return
   what the visit does; else return false. */
bool check_item_unreadable(check_item *item, const check_options *o, check_visit *visit, void *context, error *e);

/* Add to the note, in a sentence of its own. */
void check_note(check_item *item, const char *format, ...) ERROR_PRINTF(2, 3);

/* Judge an item at a level, 0 for its own; what only the reader of the format saw is part of it. */
void check_judge_item(const check_item *item, const check_options *o, ts_level level, ts_report *report);

/* Apply what the options say about level and profile to a descriptor that was read. */
void check_settle(ts_descriptor *d, const check_options *o);

#endif
