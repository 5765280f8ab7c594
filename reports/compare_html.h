/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a comparison: what an application may rely on everywhere, and where backends differ. */
#ifndef TOUCHSTONE_REPORTS_COMPARE_HTML_H
#define TOUCHSTONE_REPORTS_COMPARE_HTML_H

#include "harness/analysis/compare.h"

/* Write the page to a file, or to standard output for "-". On errors there is no file. */
bool compare_html(const compare *c, const char *path, error *e);

#endif
