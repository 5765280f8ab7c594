/* SPDX-License-Identifier: Apache-2.0 */
/* The table of verbs, and the pages of help that belong to no verb. */
#ifndef TOUCHSTONE_VERBS_H
#define TOUCHSTONE_VERBS_H

#include <stddef.h>

typedef struct verb {
    const char *name;
    int (*run)(int argc, char **argv); /* argv[0]: the verb; returns the exit status */
    const char *summary;
} verb;

typedef struct help_topic {
    const char *name, *summary;
    const char *const *text; /* the page in parts, up to NULL */
} help_topic;

/* All verbs, in the order of the help. */
const verb *verbs_all(size_t *count);

/* The verb of this name, or NULL. */
const verb *verbs_find(const char *name);

/* All pages, in the order of the help. */
const help_topic *help_topics_all(size_t *count);

#endif
