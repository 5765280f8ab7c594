/* SPDX-License-Identifier: Apache-2.0 */
/* Identities of processes for files that outlive the process, on Windows. The line has the same fields as on POSIX, but
   no boot id: the start time is absolute, so that it and the process id are unique. */
#include "harness/base/platform.h"
#include "harness/base/platform_win32.h"

#include <inttypes.h>
#include <psapi.h>
#include <stdio.h>
#include <string.h>
#include <tlhelp32.h>

#define NO_BOOT "-"

static uint64_t ticks_of(FILETIME t)
{
    return (uint64_t)t.dwHighDateTime << 32 | t.dwLowDateTime; /* ticks of 100 ns */
}

/* The start time of a process, in ticks since 1601, and its processor time; 0 if the process is gone or unknown.
 */
static uint64_t started(HANDLE process, double *seconds)
{
    FILETIME begin, end, kernel, user;
    *seconds = 0;
    if (!process || !GetProcessTimes(process, &begin, &end, &kernel, &user))
        return 0;
    *seconds = (double)(ticks_of(kernel) + ticks_of(user)) * 1e-7;
    return ticks_of(begin);
}

static void host_name(char *buf, DWORD size)
{
    if (!GetComputerNameA(buf, &size))
        snprintf(buf, size, "-");
    for (char *p = buf; *p; ++p)
        if (*p == ' ')
            *p = '_';
}

void platform_presence_self(char *buf, size_t size)
{
    char host[MAX_COMPUTERNAME_LENGTH + 1];
    double seconds;
    host_name(host, sizeof host);
    snprintf(buf, size, "%lu %" PRIu64 " %s " NO_BOOT, GetCurrentProcessId(), started(GetCurrentProcess(), &seconds),
             host);
}

platform_presence platform_presence_of(const char *text, long *pid)
{
    char host[128], boot[64], own_host[MAX_COMPUTERNAME_LENGTH + 1];
    uint64_t start;
    double seconds;
    if (!text || sscanf(text, "%ld %" SCNu64 " %127s %63s", pid, &start, host, boot) != 4 || *pid <= 0)
        return PLATFORM_PRESENCE_UNKNOWN;
    host_name(own_host, sizeof own_host);
    if (strcmp(host, own_host) != 0)
        return PLATFORM_ELSEWHERE;
    HANDLE process = OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION | SYNCHRONIZE, FALSE, (DWORD)*pid);
    if (!process)
        return GetLastError() == ERROR_ACCESS_DENIED ? PLATFORM_ALIVE : PLATFORM_GONE;
    bool alive = started(process, &seconds) == start && WaitForSingleObject(process, 0) == WAIT_TIMEOUT;
    CloseHandle(process);
    return alive ? PLATFORM_ALIVE : PLATFORM_GONE;
}

long platform_presence_children(long pid, platform_child *list, size_t most)
{
    PROCESSENTRY32 entry = { .dwSize = sizeof entry };
    HANDLE all = CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0), parent;
    long count = 0;
    double seconds;
    if (all == INVALID_HANDLE_VALUE)
        return -1;
    parent = OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, (DWORD)pid);
    const uint64_t since = started(parent, &seconds);
    for (BOOL more = Process32First(all, &entry); more; more = Process32Next(all, &entry)) {
        PROCESS_MEMORY_COUNTERS memory = { .cb = sizeof memory };
        HANDLE child = entry.th32ParentProcessID == (DWORD)pid
                           ? OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, entry.th32ProcessID)
                           : NULL;
        uint64_t begin = started(child, &seconds);
        if (child && begin >= since) { /* otherwise its parent was an earlier process with the same id */
            if ((size_t)count < most)
                list[count] =
                    (platform_child){ (long)entry.th32ProcessID,
                                      GetProcessMemoryInfo(child, &memory, sizeof memory) ? memory.WorkingSetSize : 0,
                                      seconds };
            ++count;
        }
        if (child)
            CloseHandle(child);
    }
    if (parent)
        CloseHandle(parent);
    CloseHandle(all);
    return count;
}
