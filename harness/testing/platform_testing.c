/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/testing/platform_testing.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef O_BINARY
#define O_BINARY 0 /* POSIX opens all files as binary */
#endif

/* Call f, which may be NULL, with the path of each file in a folder whose name has this ending. */
static int each(const char *folder, const char *ending, int (*f)(const char *path), unsigned *count)
{
    int result = 0;
    DIR *d = opendir(folder);
    *count = 0;
    if (!d)
        return -1;
    for (struct dirent *entry; (entry = readdir(d)) != NULL;) {
        const char *name = entry->d_name;
        const size_t length = strlen(name), tail = strlen(ending);
        char path[1200];
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || length < tail ||
            strcmp(name + length - tail, ending) != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, name);
        ++*count;
        if (f && f(path) != 0)
            result = -1;
    }
    closedir(d);
    return result;
}

int testing_remove(const char *path)
{
    struct stat info;
    unsigned count;
    if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode)) {
        chmod(path, 0600); /* fails for a dangling link, which does not matter */
        return unlink(path);
    }
    chmod(path, 0700);
    return each(path, "", testing_remove, &count) | rmdir(path);
}

int testing_empty(const char *folder, const char *ending)
{
    unsigned count;
    return each(folder, ending, testing_remove, &count);
}

unsigned testing_count(const char *folder)
{
    unsigned count;
    each(folder, "", NULL, &count);
    return count;
}

int testing_touch(const char *path)
{
    FILE *file = fopen(path, "ab");
    return file && fclose(file) == 0 ? 0 : -1;
}

int testing_write(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return -1;
    int result = fputs(text, file) < 0 ? -1 : 0;
    return fclose(file) == 0 ? result : -1;
}

int testing_file(char *path, const void *bytes, size_t size)
{
    int descriptor = mkstemp(path);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
    if (!file)
        return -1;
    size_t n = fwrite(bytes, 1, size, file);
    return fclose(file) == 0 && n == size ? 0 : -1;
}

char *testing_end_text(FILE *file)
{
    size_t size = 0;
    char *text = NULL;
    if (fseek(file, 0, SEEK_END) == 0) {
        long end = ftell(file);
        rewind(file);
        text = end >= 0 ? calloc(1, (size_t)end + 1) : NULL;
        size = text ? fread(text, 1, (size_t)end, file) : 0;
    }
    fclose(file);
    if (text)
        text[size] = '\0';
    return text;
}

/* ---- running a verb ---- */

/* A standard stream that is temporarily redirected. */
typedef struct detour {
    int stream, kept, file;
} detour;

static detour lead(int stream, const char *path, int flags)
{
    detour d = { stream, dup(stream), open(path, flags | O_BINARY, 0600) };
    dup2(d.file, stream);
    return d;
}

static void lead_back(const detour *d)
{
    dup2(d->kept, d->stream);
    close(d->kept);
}

static char *read_again(const detour *d)
{
    lseek(d->file, 0, SEEK_SET);
    FILE *file = fdopen(d->file, "rb");
    return file ? testing_end_text(file) : NULL;
}

int testing_run(int (*verb)(int argc, char **argv), int argc, char **argv, const char *input, char **printed,
                char **complained)
{
    const int flags = O_RDWR | O_CREAT | O_TRUNC;
    fflush(NULL);
    free(*printed);
    free(*complained);
    if (input)
        rewind(stdin);
    detour in = input ? lead(0, input, O_RDONLY) : (detour){ 0 };
    detour out = lead(1, "printed", flags), err = lead(2, "complained", flags);
    int status = verb(argc, argv);
    fflush(NULL);
    lead_back(&err);
    lead_back(&out);
    if (input) {
        lead_back(&in);
        close(in.file);
        clearerr(stdin);
    }
    *printed = read_again(&out);
    *complained = read_again(&err);
    return status;
}
