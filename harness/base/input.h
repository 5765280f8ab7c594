/* SPDX-License-Identifier: Apache-2.0 */
/* Opening the files that a user names. */
#ifndef TOUCHSTONE_INPUT_H
#define TOUCHSTONE_INPUT_H

#include "harness/base/error.h"

#include <stdio.h>

/* Open a regular file for reading, in binary. Refuses a folder, a FIFO, a device and a socket without waiting for it:
   they would block, never end, or cannot be read twice. NULL on an error, with its name and the reason in *e and
   EXIT_BAD_USAGE; errno is ENOENT or ENOTDIR if there is no such file. The caller closes the file. */
FILE *input_open(const char *path, error *e);

/* Can the file be opened so? */
bool input_check(const char *path, error *e);

/* Is it a regular file that begins as an SQLite database does, as every run and every history? *empty (or NULL) becomes
   whether it is a regular file without a byte. Preserves errno. */
bool input_is_database(const char *path, bool *empty);

#endif
