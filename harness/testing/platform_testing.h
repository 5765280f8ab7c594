/* SPDX-License-Identifier: Apache-2.0 */
/* Files, folders and the environment, for unit tests on every operating system. No part of the program. */
#ifndef TOUCHSTONE_PLATFORM_TESTING_H
#define TOUCHSTONE_PLATFORM_TESTING_H

#include <stdint.h>
#include <stdio.h>

/* Functions that return an int: 0, or -1 on failure. */

/* Make a folder with a unique name; the XXXXXX at the end of path is replaced. */
int testing_folder(char *path);
int testing_make_folder(const char *path);
/* Remove a file, or a folder with its contents, whatever the permissions. */
int testing_remove(const char *path);
/* Remove the entries of a folder whose names have this ending; "" removes all. */
int testing_empty(const char *folder, const char *ending);
/* The number of entries of a folder. */
unsigned testing_count(const char *folder);
/* Make an empty file. */
int testing_touch(const char *path);
/* Make a file with `size` bytes and a unique name; the XXXXXX at the end of path is replaced. */
int testing_file(char *path, const void *bytes, size_t size);

/* Make or replace a file with this text. */
int testing_write(const char *path, const char *text);

/* Run a verb of the program, or another function with the arguments of main, and capture its output. Standard input is
   the file `input`; NULL leaves it unchanged. Returns the verb's result. *printed (standard output) and *complained
   (standard error) are freed first and are texts or NULL afterwards. Makes the files "printed" and "complained" in the
   working directory. */
int testing_run(int (*verb)(int argc, char **argv), int argc, char **argv, const char *input, char **printed,
                char **complained);

/* Run a command line with the operating system's POSIX shell. Returns its output, which the caller frees; NULL where
   there is no such shell, or if the command fails. */
char *testing_shell(const char *command);

/* Set an environment variable; NULL removes it. */
int testing_setenv(const char *name, const char *value);

/* Read an open file whole and close it. The caller frees the text. */
char *testing_end_text(FILE *file);

/* The peak memory of this process in bytes. */
uint64_t testing_most_memory(void);

/* The null device. */
const char *testing_null(void);

#endif
