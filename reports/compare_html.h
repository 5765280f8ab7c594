/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a comparison: what an application may rely on everywhere, and where backends part. */
#ifndef TOUCHSTONE_REPORTS_COMPARE_HTML_H
#define TOUCHSTONE_REPORTS_COMPARE_HTML_H

#include "harness/analysis/compare.h"

/* "-" is standard output. A file is whole or not there. */
bool compare_html(const compare *c, const char *path, error *e);

#endif
