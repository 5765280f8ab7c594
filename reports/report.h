/* SPDX-License-Identifier: Apache-2.0 */
/* Writers of reports: each reads the store of a finished or running run and writes one file, or standard output for
   "-". A file is written under a temporary name and then renamed, so that an incomplete file never has the final name.
 */
#ifndef TOUCHSTONE_REPORT_H
#define TOUCHSTONE_REPORT_H

#include "harness/store/store.h"

bool report_html(store *s, const char *path, error *e);
bool report_csv(store *s, const char *path, error *e);
bool report_junit(store *s, const char *path, error *e);
bool report_json(store *s, const char *path, error *e);
bool report_markdown(store *s, const char *path, error *e);

/* Annotations for the log of a GitHub workflow. The Markdown report is appended to the file `job_summary`, unless that
   is NULL. */
bool report_github(store *s, const char *path, const char *job_summary, error *e);

#endif
