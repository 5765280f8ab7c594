/* SPDX-License-Identifier: Apache-2.0 */
/* Case files that any operator can have, for tests that need one of each: one test of tier exhaustive, in which each
   input has one element. */
#ifndef TOUCHSTONE_TESTING_CASE_FILES_H
#define TOUCHSTONE_TESTING_CASE_FILES_H

#include "harness/testing/platform_testing.h"
#include "reference/operators.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Append the names of the operator's inputs as a list of Lua. */
static inline size_t case_files_add_inputs(const ts_operator *op, char *out, size_t size)
{
    size_t used = (size_t)snprintf(out, size, "{ ");
    for (unsigned t = 0; t < op->tensor_count && used < size; ++t)
        if (op->tensors[t].role == TS_INPUT)
            used += (size_t)snprintf(out + used, size - used, "'%s', ", op->tensors[t].name);
    return used < size ? used + (size_t)snprintf(out + used, size - used, "}") : size;
}

/* Write a file into the folder of the operator's specification, which is in `folder`, under this name. */
static inline int case_files_write(const char *folder, const ts_operator *op, const char *name, const char *content)
{
    char path[1200];
    const int specification = (int)strcspn(op->name, ".");
    snprintf(path, sizeof path, "%s/%.*s", folder, specification, op->name);
    if (access(path, F_OK) != 0 && testing_make_folder(path) != 0)
        return -1;
    snprintf(path, sizeof path, "%s/%.*s/%s.lua", folder, specification, op->name, name);
    return testing_write(path, content);
}

/* Write the case file of an operator; of one that belongs to a family, that of all of them. */
static inline int case_files_write_minimal(const char *folder, const ts_operator *op)
{
    static const char rest[] = "\nop:axis 'dtype' { 'f32' }\nop:axis 'size' { 1, per = 1 }\n"
                               "op:test 'none' { 'none', tier = 'exhaustive' }\nlocal bound = {}\n"
                               "for _, name in ipairs(inputs) do bound[name] = { DataType = 'dtype', Sizes = 'size' } end\n"
                               "op:bind(bound)\n";
    const char *family = operators_family(op);
    char out[8192];
    size_t count, used;
    const ts_operator *const *all = operators_all(&count);
    if (!family) {
        used = (size_t)snprintf(out, sizeof out, "local op, inputs = operator '%s', ", op->name);
        used += case_files_add_inputs(op, out + used, sizeof out - used);
    } else {
        used = (size_t)snprintf(out, sizeof out, "local op, inputs = operators {\n");
        for (size_t i = 0; i < count && used < sizeof out; ++i) {
            if (!operators_family(all[i]) || strcmp(operators_family(all[i]), family) != 0)
                continue;
            used += (size_t)snprintf(out + used, sizeof out - used, "['%s'] = ", all[i]->name);
            used += case_files_add_inputs(all[i], out + used, sizeof out - used);
            used += (size_t)snprintf(out + used, sizeof out - used, ",\n");
        }
        used += (size_t)snprintf(out + used, sizeof out - used, "}");
    }
    if (used + sizeof rest > sizeof out)
        return -1;
    memcpy(out + used, rest, sizeof rest);
    return case_files_write(folder, op, family ? family : strchr(op->name, '.') + 1, out);
}

/* Write those of all operators. */
static inline int case_files_write_all(const char *folder)
{
    size_t count;
    const ts_operator *const *all = operators_all(&count);
    for (size_t i = 0; i < count; ++i)
        if (case_files_write_minimal(folder, all[i]) != 0)
            return -1;
    return 0;
}

#endif
