/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exports: cases as files that others use without Touchstone. A format is a row of the table in export.c and a writer
 * in a file of its own. A writer puts the files of one case into memory; where they go is up to the caller: one case to
 * a folder or a file that the user names, or many cases to a corpus (export_corpus.h).
 */
#ifndef TOUCHSTONE_EXPORT_H
#define TOUCHSTONE_EXPORT_H

#include "harness/base/text.h"
#include "harness/casefile/case_view.h"

#define EXPORT_MOST_FILES 16
#define EXPORT_POISON     0xCB /* is in the outputs' memory before the reference writes them */

typedef struct export_file {
    char name[48]; /* "model.onnx", "test_data_set_0/input_0.pb"; "" for the file of a format that has one */
    text bytes;
} export_file;

/* The files of one case. Zeroed at first; used again for the next case. */
typedef struct export_files {
    export_file list[EXPORT_MOST_FILES];
    size_t count;
    char why[400]; /* the case cannot be exported in the format: the reason, the same words for all cases with it */
} export_files;

void export_files_free(export_files *f);

/* Begin a file of the case. The caller appends to the text; the caller of the writer reports its `failed`. */
text *export_add(export_files *f, const char *name);

/* Say why the format cannot express the case; false. */
bool export_cannot(export_files *f, const char *format, ...) ERROR_PRINTF(2, 3);

/* Has each output element one answer? Else say why a format of expected outputs cannot express the case. */
bool export_has_one_answer(const case_view *c, export_files *f);

/* What the case demands of an implementation. */
typedef enum export_demand {
    EXPORT_OUTPUTS, /* the expected outputs */
    EXPORT_ACCEPT,  /* that it accepts the descriptor, which is not executed */
    EXPORT_REFUSE,  /* that it refuses the descriptor */
    EXPORT_OPEN     /* nothing: the specification leaves it open, or does not determine it to the bit */
} export_demand;
export_demand export_demand_of(const case_view *c);
const char *export_demand_name(export_demand d); /* "outputs", "accept", "refuse", "open" */

/* Does the case have outputs that an implementation has to give, all of them? If not, f->why says so. */
bool export_has_outputs(const case_view *c, export_files *f);

/* Write the files of a case, which is evaluated; where it is executed, its outputs are computed over EXPORT_POISON.
   False: the format cannot express it (f->why), or an error (f->why is ""). */
typedef bool export_writer(case_view *c, export_files *f, error *e);

typedef struct export_format {
    const char *name;   /* "onnx", of --format */
    const char *option; /* "--onnx", an option that means the same; or NULL */
    const char *title;  /* for messages: "this case cannot be exported as ONNX: ..." */
    const char *ending; /* of a format with one file: ".json"; NULL: a case is a folder */
    bool open;          /* its files say that the specification leaves a case open; others have no such cases in a
                           corpus, because somebody would take the outputs for those that are expected */
    const char *facts;  /* JSON members about the format for a manifest, such as "\"opset\": 13"; or NULL */
    export_writer *write;
} export_format;

const export_format *export_formats(size_t *count);

/* Find a format by name. NULL, with an error that lists the names, if there is none. */
const export_format *export_format_named(const char *name, error *e);

/* Evaluate a case and write its files to *f. False as export_writer. Tensors with more than CASE_VIEW_MOST_ELEMENTS
   elements cannot be expressed in any format. */
bool export_write(const export_format *format, case_view *c, export_files *f, error *e);

#endif
