/* SPDX-License-Identifier: Apache-2.0 */
/* The output of the checker: text, JSON and SARIF 2.1.0. */
#ifndef TOUCHSTONE_CHECK_PRINT_H
#define TOUCHSTONE_CHECK_PRINT_H

#include "harness/check/check_class.h"

#include <stdio.h>

typedef enum check_format { CHECK_TEXT, CHECK_JSON, CHECK_SARIF, CHECK_QUIET } check_format;

/* An unknown operator by name. Those beyond the capacity are counted without a name. */
typedef struct check_unknown {
    char name[64];
    size_t count;
} check_unknown;

typedef struct check_printer {
    FILE *to;
    check_format format;
    const check_options *o;
    size_t items, valid, invalid, unsupported, open; /* judged */
    size_t refused;                                  /* legal, but refused by an implementation */
    size_t undecided, unknown, unreadable;           /* not judged, or not fully */
    size_t beyond;                                   /* not judged, by a limit of Touchstone */
    check_class worst;                               /* of all items */
    size_t bad_files, empty_files;
    const char *instead; /* what the last file is that has no descriptor; or NULL */
    size_t other_layers; /* that no operator judges */
    check_unknown names[64];
    size_t name_count;
    size_t results;   /* of JSON and SARIF: records printed */
    ts_report report; /* of the current item */
    ts_report at_level;
} check_printer;

/* Begin, print items (check_print_item is a check_visit with the printer as its context), end. */
void check_print_begin(check_printer *p);
bool check_print_item(void *context, const check_item *item, error *e);
void check_print_end(check_printer *p);

/* Print a record for a file that cannot be read at all, as described by *e. Text has no such record: the error message
   suffices. */
void check_print_file(check_printer *p, const char *path, const error *e);

/* The number of items that were not fully judged: undecided, unreadable, of unknown operators, or beyond a limit. */
size_t check_print_open(const check_printer *p);

/* Print one judged item in a format; its report is p->report. */
void check_print_text(check_printer *p, const check_item *item, evaluate_status status);
void check_print_json(check_printer *p, const check_item *item, evaluate_status status);
void check_print_sarif(check_printer *p, const check_item *item, evaluate_status status);
void check_print_sarif_begin(check_printer *p);
void check_print_sarif_end(check_printer *p);

#define CHECK_NOT_JUDGED "not judged" /* the rule of such notes */

/* Print the layers that are not judged, in the printer's format (check_layers.c); in SARIF by check_print_sarif_note.
 */
void check_print_layers(check_printer *p, const check_item *item);
void check_print_sarif_note(check_printer *p, const check_item *item, const char *rule, const char *said,
                            check_place place);

/* Print the findings of an item, in the printer's format (check_findings.c); in SARIF by check_print_sarif_finding. In
   JSON they are a member of the item, "" without any. */
void check_print_findings(check_printer *p, const check_item *item);
void check_print_sarif_finding(check_printer *p, const check_item *item, const check_finding *f, const char *said);

/* "valid", "invalid", "unsupported", "open", "undecided", "unknown operator" or "unreadable" */
const char *check_item_status(const check_item *item, evaluate_status status);

/* The same with what the printer knows of the item: also "refused", and "beyond" what Touchstone judges. */
const char *check_print_status(const check_printer *p, const check_item *item, evaluate_status status);

/* What a violation means: evaluate_result_name, or "beyond". */
const char *check_violation_name(const check_printer *p, const check_item *item, const ts_violation *v);

/* What a finding means: "refused", "beyond", or "allowed" by the user. */
const char *check_finding_name(const check_printer *p, const check_finding *f);

/* The place of the field that a violation is about; that of the item where it is unknown. */
check_place check_violation_place(const check_item *item, const ts_violation *v);

/* The place of a field that cannot be read; that of the item where it is unknown. */
check_place check_mistake_place(const check_item *item, const descriptor_mistake *m);

/* What stands in the file for this field of a tensor, or this attribute, that was not read: a number that its type does
   not hold, or "?". NULL: it was read. */
const char *check_stand_in(const check_item *item, int tensor, int attr, const char *field, int index);

/* Was this field of a tensor, or this attribute, not read? A negative index is the field as a whole. */
bool check_is_unread(const check_item *item, int tensor, int attr, const char *field, int index);

/* Is nothing known of the sizes of output k? */
bool check_lacks_sizes(const check_item *item, unsigned k);

/* Write what was inferred of output k, "OutputTensor is absent: inferred as FLOAT32 {1,2,?,?}", where rules leave the
   last two sizes open; "" if nothing was. */
void check_inferred(const check_item *item, unsigned k, char *buf, size_t size);

/* Write the fields whose clauses could not be judged, "IndicesTensor.Strides, Axis"; "" if there are none. */
void check_not_judged(const check_item *item, char *buf, size_t size);

/* Is the item judged at every level, because neither it nor the options name one, and all of it was read? */
bool check_all_levels(const check_printer *p, const check_item *item);

/* The clause of which a violation of a report may be a consequence, so that advice for it could break what is right: a
   shape follows from inputs and attributes, of which another violation is about one. NULL: none. */
const char *check_violation_follows(const check_item *item, const ts_report *report, const ts_violation *v);

/* Write what would be legal, or "" where it depends on values that the file does not hold, or where another violation
   is to be mended first. */
void check_violation_legal(const check_item *item, const ts_report *report, const ts_violation *v, char *buf,
                           size_t size);

#endif
