/* SPDX-License-Identifier: Apache-2.0 */
/* What the files for Windows share. Included by them alone. */
#ifndef TOUCHSTONE_PLATFORM_WIN32_H
#define TOUCHSTONE_PLATFORM_WIN32_H

#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

#include <stddef.h>

/* What Windows says of an error, in one line. */
void platform_win32_message(DWORD code, char *buf, size_t size);

#endif
