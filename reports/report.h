/* SPDX-License-Identifier: Apache-2.0 */
/* Readers of a finished (or running) run: each takes the store alone and writes one file. "-" is standard output.
   A file is written under a temporary name and renamed, so that it is whole or not there. */
#ifndef TOUCHSTONE_REPORT_H
#define TOUCHSTONE_REPORT_H

#include "harness/store/store.h"

bool report_html(store *s, const char *path, error *e);
bool report_csv(store *s, const char *path, error *e);
bool report_junit(store *s, const char *path, error *e);
bool report_json(store *s, const char *path, error *e);

#endif
