/* SPDX-License-Identifier: Apache-2.0 */
/* What the checker found, for people, as JSON and as SARIF (2.1.0). */
#ifndef TOUCHSTONE_CHECK_PRINT_H
#define TOUCHSTONE_CHECK_PRINT_H

#include "harness/check/check.h"

#include <stdio.h>

typedef enum check_format { CHECK_TEXT, CHECK_JSON, CHECK_SARIF, CHECK_QUIET } check_format;

/* Operators that are not known, by name. Those beyond the room are counted without one. */
typedef struct check_unknown {
    char name[64];
    size_t count;
} check_unknown;

typedef struct check_printer {
    FILE *to;
    check_format format;
    const check_options *o;
    size_t items, valid, invalid, unsupported; /* judged */
    size_t undecided, unknown, unreadable;     /* and not, or not to the end */
    size_t bad_files, empty_files;
    check_unknown names[64];
    size_t name_count;
    size_t results;   /* of JSON and SARIF: records printed */
    ts_report report; /* of the item at hand */
    ts_report at_level;
} check_printer;

/* Begin, print items (a check_visit with the printer as its context), end. */
void check_print_begin(check_printer *p);
bool check_print_item(void *context, const check_item *item, error *e);
void check_print_end(check_printer *p);

/* A file that cannot be read at all, as *e says: a record of its own, but none in text, where the message suffices. */
void check_print_file(check_printer *p, const char *path, const error *e);

/* How many items were not judged, or not to the end: undecided, unreadable, or of operators not known here. */
size_t check_print_open(const check_printer *p);

/* For each format: one judged item, its report in p->report. */
void check_print_text(check_printer *p, const check_item *item, evaluate_status status);
void check_print_json(check_printer *p, const check_item *item, evaluate_status status);
void check_print_sarif(check_printer *p, const check_item *item, evaluate_status status);
void check_print_sarif_begin(check_printer *p);
void check_print_sarif_end(check_printer *p);

/* "valid", "invalid", "unsupported", "undecided", "unknown operator" or "unreadable" */
const char *check_item_status(const check_item *item, evaluate_status status);

/* The place of what a violation is about; the item's where that is not known. */
check_place check_violation_place(const check_item *item, const ts_violation *v);

/* Is the item judged at every level, because neither it nor the options name one? */
bool check_all_levels(const check_printer *p, const check_item *item);

/* What would be legal; "" where it cannot be told from what the file has. */
void check_violation_legal(const check_item *item, const ts_violation *v, char *buf, size_t size);

#endif
