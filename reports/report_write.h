/* SPDX-License-Identifier: Apache-2.0 */
/* What every writer of a report does around its own format. */
#ifndef TOUCHSTONE_REPORT_WRITE_H
#define TOUCHSTONE_REPORT_WRITE_H

#include "harness/base/output.h"
#include "harness/store/summary.h"

/* Write a report to `path`: open *out, read the summary *m in one read snapshot of the store, let `write` write
   everything in the same snapshot, and close *out. *m is freed afterwards. False, and no file, if any step fails. */
bool report_write(output *out, summary *m, store *s, const char *path, bool (*write)(void *context, store *s, error *e),
                  void *context, error *e);

#endif
