/* SPDX-License-Identifier: Apache-2.0 */
/* What the files for Windows share. Included by them alone. */
#ifndef TOUCHSTONE_PLATFORM_WIN32_H
#define TOUCHSTONE_PLATFORM_WIN32_H

#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

#include <stdbool.h>
#include <stddef.h>

/* What Windows says of an error, in one line. */
void platform_win32_message(DWORD code, char *buf, size_t size);

/* Was memory touched that is to be committed when it is? Then it is now, and the touch can be repeated. */
bool platform_win32_commit(const EXCEPTION_RECORD *record);

#endif
