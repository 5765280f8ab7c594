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

/* Make a file of this text, in place of what was there. */
int testing_write(const char *path, const char *text);

/* Run a verb of the program, or whatever takes arguments as main does, with all that it prints kept. Standard input is
   the file `input`; NULL leaves it as it is. What it returns; *printed and *complained are freed first, and texts or
   NULL afterwards. It makes files "printed" and "complained" in the working directory. */
int testing_run(int (*verb)(int argc, char **argv), int argc, char **argv, const char *input, char **printed,
                char **complained);

/* Set a variable of the environment; NULL removes it. */
int testing_setenv(const char *name, const char *value);

/* All of a file that is open to be read, which is closed: to be freed. */
char *testing_end_text(FILE *file);

/* Bytes that this process has held at most. */
uint64_t testing_most_memory(void);

/* A file that takes everything and has nothing. */
const char *testing_null(void);

#endif
