/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a history: the failures of each run, and since which run each region fails. */
#ifndef TOUCHSTONE_REPORTS_HISTORY_HTML_H
#define TOUCHSTONE_REPORTS_HISTORY_HTML_H

#include "harness/store/history.h"

/* Write the page to a file; "-": to standard output. A file is written completely, or not at all. */
bool history_html(history *h, const char *path, error *e);

#endif
