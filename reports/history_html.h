/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a history: failures night by night, and since when each region fails. */
#ifndef TOUCHSTONE_REPORTS_HISTORY_HTML_H
#define TOUCHSTONE_REPORTS_HISTORY_HTML_H

#include "harness/store/history.h"

/* "-" is standard output. A file is whole or not there. */
bool history_html(history *h, const char *path, error *e);

#endif
