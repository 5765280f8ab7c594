/* SPDX-License-Identifier: Apache-2.0 */
/* A shared library by its path: what differs by system (library_posix.c, library_win32.c). */
#ifndef TOUCHSTONE_ONNX_LIBRARY_H
#define TOUCHSTONE_ONNX_LIBRARY_H

#include <stddef.h>

/* NULL where it cannot be loaded; then message says why. Turns off by the environment what ONNX Runtime would otherwise
   do of itself when it is loaded: report its use over the network, with threads and a file of its own. */
void *library_open(const char *path, char *message, size_t size);
void (*library_symbol(void *library, const char *name))(void);
void library_close(void *library);

/* Where scripts/setup-vendors.sh puts ONNX Runtime's; "" where the system does not say where a user's cache is. */
void library_default_path(char *buf, size_t size);

#endif
