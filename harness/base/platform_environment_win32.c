/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/platform_environment.h"
#include "harness/base/platform_win32.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct platform_environment {
    char locale[256];
    wchar_t folder[MAX_PATH];
    char found[PLATFORM_CHANGES][64];
};

platform_environment *platform_environment_open(void)
{
    return calloc(1, sizeof(platform_environment));
}

void platform_environment_close(platform_environment *p)
{
    free(p);
}

bool platform_environment_note(platform_environment *p)
{
    const DWORD n = GetCurrentDirectoryW(MAX_PATH, p->folder);
    snprintf(p->locale, sizeof p->locale, "%s", setlocale(LC_ALL, NULL));
    if (n == 0 || n >= MAX_PATH)
        p->folder[0] = L'\0';
    return true;
}

static unsigned restore_folder(const platform_environment *p)
{
    wchar_t now[MAX_PATH];
    const DWORD n = GetCurrentDirectoryW(MAX_PATH, now);
    if (!p->folder[0] || (n > 0 && n < MAX_PATH && wcscmp(now, p->folder) == 0))
        return 0;
    SetCurrentDirectoryW(p->folder);
    return PLATFORM_FOLDER;
}

unsigned platform_environment_restore(platform_environment *p, bool quickly)
{
    const char *now = setlocale(LC_ALL, NULL);
    unsigned changes = 0;
    if (strncmp(now, p->locale, sizeof p->locale - 1) != 0) {
        changes = PLATFORM_LOCALE;
        setlocale(LC_ALL, p->locale);
    }
    return quickly ? changes : changes | restore_folder(p);
}

const char *platform_environment_found(const platform_environment *p, unsigned bit)
{
    return p->found[bit];
}
