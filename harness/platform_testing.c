/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/platform_testing.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef O_BINARY
#define O_BINARY 0 /* where all files are */
#endif

/* Call f, which may be NULL, with the path of each name in a folder that ends so. */
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
        chmod(path, 0600); /* where it matters; a link that leads nowhere has none */
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

int testing_file(char *path, const void *bytes, size_t size)
{
    int descriptor = mkstemp(path);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
    if (!file)
        return -1;
    size_t n = fwrite(bytes, 1, size, file);
    return fclose(file) == 0 && n == size ? 0 : -1;
}

int testing_open(const char *path)
{
    return open(path, O_RDWR | O_CREAT | O_TRUNC | O_BINARY, 0600);
}

char *testing_read(int descriptor)
{
    lseek(descriptor, 0, SEEK_SET);
    FILE *file = fdopen(descriptor, "rb");
    return file ? testing_end_text(file) : NULL;
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
