/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/outputs.h"

#include "harness/base/input.h"
#include "harness/base/platform.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* The folder of a path, with the last slash; "./" if the path has none. */
static void folder_of(const char *path, char *buf, size_t size)
{
    const size_t folder = (size_t)(platform_file_name(path) - path);
    snprintf(buf, size, "%.*s", folder ? (int)folder : 2, folder ? path : "./");
}

/* Do two paths lead to the same file? Names are compared too, because neither file may exist yet. */
static bool is_same(const char *a, const char *b)
{
    char folder_a[PATH_MAX], folder_b[PATH_MAX];
    if (strcmp(a, b) == 0 || platform_same_file(a, b))
        return strncmp(a, "/dev/", 5) != 0;
    folder_of(a, folder_a, sizeof folder_a);
    folder_of(b, folder_b, sizeof folder_b);
    return strcmp(platform_file_name(a), platform_file_name(b)) == 0 && platform_same_file(folder_a, folder_b);
}

static bool check_one(const output_name *outputs, size_t i, const char *const *inputs, size_t input_count, error *e)
{
    const char *path = outputs[i].path;
    for (size_t k = 0; k < i; ++k)
        if (outputs[k].path && is_same(path, outputs[k].path))
            return error_usage(e, "%s and %s both write to %s", outputs[k].option, outputs[i].option, path);
    if (strcmp(path, "-") == 0)
        return true;
    for (size_t k = 0; k < input_count; ++k)
        if (inputs[k] && strcmp(inputs[k], "-") != 0 && is_same(path, inputs[k]))
            return error_usage(e, "%s %s is a file that this command reads (%s)", outputs[i].option, path, inputs[k]);
    if (input_is_database(path, NULL))
        return error_usage(e, "%s %s is a run or a history, and those are never overwritten; choose another name",
                           outputs[i].option, path);
    return true;
}

bool outputs_check(const output_name *outputs, size_t output_count, const char *const *inputs, size_t input_count,
                   error *e)
{
    for (size_t i = 0; i < output_count; ++i)
        if (outputs[i].path && !check_one(outputs, i, inputs, input_count, e))
            return false;
    return true;
}
