/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/testing/platform_testing.h"

#include "harness/base/platform.h"
#include "harness/base/platform_win32.h"

#include <direct.h>
#include <io.h>
#include <psapi.h>
#include <stdlib.h>

/* The main functions of the tests do not do this, so each test is linked with this file. */
static void __attribute__((constructor)) begin(void)
{
    platform_begin();
}

int testing_folder(char *path)
{
    _mkdir("/tmp"); /* the tests create their files there, on the current drive */
    return _mktemp(path) ? _mkdir(path) : -1;
}

int testing_make_folder(const char *path)
{
    return _mkdir(path);
}

char *testing_shell(const char *command)
{
    (void)command;
    return NULL;
}

int testing_setenv(const char *name, const char *value)
{
    return _putenv_s(name, value ? value : "") == 0 ? 0 : -1;
}

uint64_t testing_most_memory(void)
{
    PROCESS_MEMORY_COUNTERS used = { .cb = sizeof used };
    return GetProcessMemoryInfo(GetCurrentProcess(), &used, sizeof used) ? used.PeakWorkingSetSize : 0;
}

const char *testing_null(void)
{
    return "NUL";
}
