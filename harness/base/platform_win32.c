/* SPDX-License-Identifier: Apache-2.0 */
/* Shared libraries, files and the machine, on Windows. File names are UTF-8: the program's manifest declares it
   (platform_win32.manifest). */
#include "harness/base/platform.h"
#include "harness/base/platform_process.h"
#include "harness/base/platform_win32.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void platform_begin(void)
{
    /* Write reports, messages and files in binary mode, so that line ends stay as the code writes them. */
    _fmode = _O_BINARY;
    _setmode(_fileno(stdin), _O_BINARY);
    _setmode(_fileno(stdout), _O_BINARY);
    _setmode(_fileno(stderr), _O_BINARY);
    SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX); /* no dialog boxes */
}

int platform_run(int (*f)(int argc, char **argv), int argc, char **argv)
{
    return f(argc, argv); /* the linker has reserved the stack */
}

FILE *platform_open_stream(const char *path)
{
    return fopen(path, "wb");
}

void platform_win32_message(DWORD code, char *buf, size_t size)
{
    DWORD n = FormatMessageA(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, NULL, code, 0, buf,
                             (DWORD)size, NULL);
    if (n == 0)
        snprintf(buf, size, "Windows error %lu", code);
    for (n = (DWORD)strlen(buf); n > 0 && strchr("\r\n .", buf[n - 1]); --n)
        buf[n - 1] = '\0';
}

/* ---- shared libraries ---- */

void *platform_library_open(const char *path, char *message, size_t size)
{
    char full[MAX_PATH * 4], reason[300];
    DWORD n = GetFullPathNameA(path, sizeof full, full,
                               NULL); /* its dependencies are found beside it only if the path is absolute */
    HMODULE library =
        n > 0 && n < sizeof full ? LoadLibraryExA(full, NULL, LOAD_WITH_ALTERED_SEARCH_PATH) : LoadLibraryA(path);
    if (!library) {
        platform_win32_message(GetLastError(), reason, sizeof reason);
        snprintf(message, size, "%s: %s", path, reason);
    }
    return library;
}

void (*platform_library_symbol(void *library, const char *name))(void)
{
    return (void (*)(void))GetProcAddress(library, name);
}

void platform_library_close(void *library)
{
    FreeLibrary(library);
}

const char *platform_library_suffix(void)
{
    return "-backend.dll";
}

/* ---- files ---- */

/* A byte that SQLite does not lock and nobody reads: locks are mandatory on Windows. */
#define LOCK_AT_HIGH 0x40000000u

int platform_lock_file(const char *path)
{
    HANDLE file = CreateFileA(path, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                              OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);
    if (file == INVALID_HANDLE_VALUE)
        return PLATFORM_NO_LOCK;
    OVERLAPPED at = { .OffsetHigh = LOCK_AT_HIGH };
    if (LockFileEx(file, LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at))
        return (int)(intptr_t)file; /* only the lower 32 bits of a handle are significant */
    bool locked = GetLastError() == ERROR_LOCK_VIOLATION || GetLastError() == ERROR_IO_PENDING;
    CloseHandle(file);
    return locked ? PLATFORM_LOCKED : PLATFORM_NO_LOCK;
}

void platform_unlock_file(int lock)
{
    if (lock >= 0)
        CloseHandle((HANDLE)(intptr_t)lock);
}

bool platform_program_folder(char *buf, size_t size)
{
    char path[MAX_PATH * 4];
    DWORD n = GetModuleFileNameA(NULL, path, sizeof path);
    if (n == 0 || n >= sizeof path)
        return false;
    for (char *p = path; *p; ++p)
        if (*p == '\\')
            *p = '/'; /* as everywhere else; Windows accepts both */
    *strrchr(path, '/') = '\0';
    return (size_t)snprintf(buf, size, "%s", path) < size;
}

const char *platform_file_name(const char *path)
{
    const char *name = path;
    for (const char *p = path; *p; ++p)
        if (*p == '/' || *p == '\\' || (*p == ':' && p == path + 1))
            name = p + 1;
    return name;
}

static bool identify(const char *path, BY_HANDLE_FILE_INFORMATION *info)
{
    HANDLE file = CreateFileA(path, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
                              FILE_FLAG_BACKUP_SEMANTICS, NULL); /* required to open a folder */
    bool fine = file != INVALID_HANDLE_VALUE && GetFileInformationByHandle(file, info);
    if (file != INVALID_HANDLE_VALUE)
        CloseHandle(file);
    return fine;
}

bool platform_same_file(const char *a, const char *b)
{
    BY_HANDLE_FILE_INFORMATION x, y;
    return identify(a, &x) && identify(b, &y) && x.dwVolumeSerialNumber == y.dwVolumeSerialNumber &&
           x.nFileIndexHigh == y.nFileIndexHigh && x.nFileIndexLow == y.nFileIndexLow;
}

FILE *platform_new_file(const char *path)
{
    int file = _open(path, _O_CREAT | _O_EXCL | _O_WRONLY | _O_BINARY, _S_IREAD | _S_IWRITE);
    return file >= 0 ? _fdopen(file, "wb") : NULL; /* not every C library of Windows supports mode "x" of fopen */
}

FILE *platform_open_regular(const char *path, const char **kind)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return NULL;
    *kind = (info.st_mode & S_IFMT) == S_IFREG ? NULL : (info.st_mode & S_IFMT) == S_IFDIR ? "a directory" : "a device";
    errno = EINVAL;
    return *kind ? NULL : fopen(path, "rb");
}

bool platform_sync_file(const char *path)
{
    HANDLE file = CreateFileA(path, GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                              OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);
    const bool fine = file != INVALID_HANDLE_VALUE && FlushFileBuffers(file);
    if (file != INVALID_HANDLE_VALUE)
        CloseHandle(file);
    if (!fine)
        errno = EIO;
    return fine;
}

bool platform_replace_file(const char *from, const char *to)
{
    if (MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING))
        return true;
    errno = GetLastError() == ERROR_FILE_NOT_FOUND || GetLastError() == ERROR_PATH_NOT_FOUND ? ENOENT : EACCES;
    return false;
}

bool platform_name_file(const char *file, const char *name)
{
    if (MoveFileExA(file, name, 0)) /* most file systems of Windows have no hard links */
        return true;
    const DWORD why = GetLastError();
    errno = why == ERROR_ALREADY_EXISTS || why == ERROR_FILE_EXISTS      ? EEXIST
            : why == ERROR_FILE_NOT_FOUND || why == ERROR_PATH_NOT_FOUND ? ENOENT
                                                                         : EACCES;
    return false;
}

FILE *platform_temporary_file(void)
{
    char folder[MAX_PATH * 4], path[MAX_PATH * 4];
    DWORD n = GetTempPathA(sizeof folder, folder);
    if (n == 0 || n >= sizeof folder || !GetTempFileNameA(folder, "tch", 0, path))
        return NULL;
    return fopen(path, "w+bTD"); /* kept in memory while it is small, removed when it is closed */
}

/* ---- the machine ---- */

unsigned platform_cores(void)
{
    DWORD_PTR mine, all;
    unsigned n = 0;
    if (GetProcessAffinityMask(GetCurrentProcess(), &mine, &all))
        for (; mine; mine &= mine - 1)
            ++n;
    return n ? n : 1; /* of the current processor group: machines with more than 64 processors have several groups */
}

void platform_describe_machine(char *buf, size_t size)
{
    SYSTEM_INFO info;
    char model[128] = "";
    DWORD length = sizeof model;
    GetNativeSystemInfo(&info);
    if (RegGetValueA(HKEY_LOCAL_MACHINE, "HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\0", "ProcessorNameString",
                     RRF_RT_REG_SZ, NULL, model, &length) != ERROR_SUCCESS)
        *model = '\0';
    const char *kind = info.wProcessorArchitecture == PROCESSOR_ARCHITECTURE_AMD64   ? "x86_64"
                       : info.wProcessorArchitecture == PROCESSOR_ARCHITECTURE_ARM64 ? "aarch64"
                                                                                     : "?";
    unsigned cores = platform_cores();
    snprintf(buf, size, "%s, %u core%s%s%s", kind, cores, cores == 1 ? "" : "s", *model ? ", " : "", model);
}

/* A function of ntdll that no header declares; NULL if it does not exist. */
static void (*of_ntdll(const char *name))(void)
{
    HMODULE library = GetModuleHandleA("ntdll.dll");
    return library ? (void (*)(void))GetProcAddress(library, name) : NULL;
}

void platform_describe_system(char *buf, size_t size)
{
    /* GetVersionEx reports a compatibility version; RtlGetVersion reports the real one. */
    LONG(WINAPI * version)(OSVERSIONINFOW *) = (LONG(WINAPI *)(OSVERSIONINFOW *))of_ntdll("RtlGetVersion");
    const char *(CDECL * wine)(void) = (const char *(CDECL *)(void))of_ntdll("wine_get_version");
    OSVERSIONINFOW info = { .dwOSVersionInfoSize = sizeof info };
    if (!version || version(&info) != 0)
        info.dwMajorVersion = info.dwMinorVersion = info.dwBuildNumber = 0;
    snprintf(buf, size, "Windows %lu.%lu.%lu%s%s", info.dwMajorVersion, info.dwMinorVersion, info.dwBuildNumber,
             wine ? ", Wine " : "", wine ? wine() : "");
}

uint64_t platform_machine_memory(void)
{
    MEMORYSTATUSEX status = { .dwLength = sizeof status };
    return GlobalMemoryStatusEx(&status) ? status.ullTotalPhys : 0;
}

double platform_seconds(void)
{
    LARGE_INTEGER now, frequency;
    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&frequency);
    return (double)now.QuadPart / (double)frequency.QuadPart;
}

void platform_utc(time_t t, char *buf, size_t size)
{
    struct tm parts;
    if (gmtime_s(&parts, &t) != 0)
        memset(&parts, 0, sizeof parts);
    strftime(buf, size, "%Y-%m-%dT%H:%M:%SZ", &parts);
}

void platform_utc_now(char *buf, size_t size)
{
    FILETIME now; /* in units of 100 ns */
    SYSTEMTIME parts;
    GetSystemTimeAsFileTime(&now);
    if (!FileTimeToSystemTime(&now, &parts))
        memset(&parts, 0, sizeof parts);
    const uint64_t ticks = (uint64_t)now.dwHighDateTime << 32 | now.dwLowDateTime;
    snprintf(buf, size, "%04u-%02u-%02uT%02u:%02u:%02u.%06uZ", (unsigned)parts.wYear, (unsigned)parts.wMonth,
             (unsigned)parts.wDay, (unsigned)parts.wHour, (unsigned)parts.wMinute, (unsigned)parts.wSecond,
             (unsigned)(ticks / 10 % 1000000));
}

bool platform_stderr_is_terminal(void)
{
    DWORD mode;
    return GetConsoleMode(GetStdHandle(STD_ERROR_HANDLE), &mode) != 0; /* _isatty accepts any device */
}

bool platform_shows_colors(FILE *f)
{
    const char *type = getenv("TERM"); /* of a POSIX shell on Windows */
    const HANDLE console = (HANDLE)_get_osfhandle(_fileno(f));
    DWORD mode;
    return !(type && strcmp(type, "dumb") == 0) && GetConsoleMode(console, &mode) &&
           SetConsoleMode(console, mode | ENABLE_PROCESSED_OUTPUT | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

int platform_divert_output(void)
{
    fflush(stdout);
    int kept = _dup(_fileno(stdout));
    if (kept >= 0)
        _dup2(_fileno(stderr), _fileno(stdout));
    return kept;
}

void platform_restore_output(int kept)
{
    fflush(stdout);
    if (kept >= 0) {
        _dup2(kept, _fileno(stdout));
        _close(kept);
    }
}
