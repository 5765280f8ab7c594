/* SPDX-License-Identifier: Apache-2.0 */
/* What the unit tests need of a system: files and folders of their own, the environment. No part of the program. */
#ifndef TOUCHSTONE_PLATFORM_TESTING_H
#define TOUCHSTONE_PLATFORM_TESTING_H

#include <stdint.h>
#include <stdio.h>

/* Those that return an int: 0, or -1 where it cannot be done. */

/* Make a folder whose name ends in XXXXXX, which is replaced. */
int testing_folder(char *path);
int testing_make_folder(const char *path);
/* Remove a file or a folder with all in it, whatever the permissions. */
int testing_remove(const char *path);
/* Remove that in a folder whose name ends so: all, for "". */
int testing_empty(const char *folder, const char *ending);
/* Names in a folder. */
unsigned testing_count(const char *folder);
/* Make an empty file. */
int testing_touch(const char *path);
/* Make a file that holds `size` bytes and whose name ends in XXXXXX, which is replaced. */
int testing_file(char *path, const void *bytes, size_t size);

/* Open a file anew to put a standard stream there: a descriptor, or -1. */
int testing_open(const char *path);
/* All that was written there, to be freed. The descriptor is closed. */
char *testing_read(int descriptor);

/* Set a variable of the environment; NULL removes it. */
int testing_setenv(const char *name, const char *value);

/* All of a file that is open to be read, which is closed: to be freed. */
char *testing_end_text(FILE *file);

/* Bytes that this process has held at most. */
uint64_t testing_most_memory(void);

/* A file that takes everything and has nothing. */
const char *testing_null(void);

#endif
