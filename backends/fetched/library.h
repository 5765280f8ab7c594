/* SPDX-License-Identifier: Apache-2.0 */
/* Load shared libraries that scripts/setup-vendors.sh has installed: library.c, and what differs by platform in
   library_posix.c and library_win32.c. */
#ifndef TOUCHSTONE_FETCHED_LIBRARY_H
#define TOUCHSTONE_FETCHED_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/* A character of the name of a file, as libraries of the platform take it. */
#if defined(_WIN32)
typedef wchar_t library_char;
#else
typedef char library_char;
#endif

/* Load a shared library. NULL if that fails; `message` is then the reason. */
void *library_open(const char *path, char *message, size_t size);
void (*library_symbol(void *library, const char *name))(void);
void library_close(void *library);

/* A function of a library, and the pointer to it that library_bind sets. */
typedef struct library_function {
    const char *name;
    void *pointer;
} library_function;

/* Set the pointers to `count` functions. False if one is missing; `message` is then that the library is not
   `product`. */
bool library_bind(void *library, const library_function *functions, size_t count, const char *product, char *message,
                  size_t size);

/* Set an environment variable, for a library that reads it when it is loaded. */
void library_setenv(const char *name, const char *value);

/* Convert the name of a file to `room` characters, in full if there is such a file, because libraries may look for
   others in their own folder; false if it is longer. */
bool library_path(const char *path, library_char *out, size_t room);

/* Write the beginning of a name that files of this process can have in the folder for temporary files. */
void library_scratch(const char *name, char *prefix, size_t size);

/* Write the path of the shared library `name` in `folder` (with slashes) of the installed vendors; "" if the user's
   cache folder is unknown. */
void library_fetched(const char *folder, const char *name, char *path, size_t size);

/* Write the path that the environment variable has. False if it is not set, or empty. */
bool library_named(const char *variable, char *path, size_t size);

#endif
