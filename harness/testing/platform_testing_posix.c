/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/testing/platform_testing.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>

int testing_folder(char *path)
{
    return mkdtemp(path) ? 0 : -1;
}

int testing_make_folder(const char *path)
{
    return mkdir(path, 0700);
}

char *testing_shell(const char *command)
{
    FILE *pipe = popen(command, "r");
    char *output = calloc(1, 1), *grown;
    size_t length = 0, n = 1;
    while (pipe && output && n > 0) {
        grown = realloc(output, length + 4097);
        if (!grown)
            break;
        output = grown;
        n = fread(output + length, 1, 4096, pipe);
        length += n;
        output[length] = '\0';
    }
    if (!pipe || pclose(pipe) != 0) {
        free(output);
        return NULL;
    }
    return output;
}

int testing_setenv(const char *name, const char *value)
{
    return value ? setenv(name, value, 1) : unsetenv(name);
}

uint64_t testing_most_memory(void)
{
    struct rusage used;
    return getrusage(RUSAGE_SELF, &used) == 0 ? (uint64_t)used.ru_maxrss << 10 : 0;
}

const char *testing_null(void)
{
    return "/dev/null";
}
