/* SPDX-License-Identifier: Apache-2.0 */
/* Each class of defects has a fault in each operator, or the table of README.md says why it has none. The table names
   the faults that the backend lists, and no others. */
#include "backends/backend_testing.h"
#include "harness/model/listed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const operators[] = { "dml.slice1",
                                         "dml.gather",
                                         "dml.random_generator",
                                         "dml.element_wise_identity",
                                         "openvino.strided_slice",
                                         "dml.gather_elements",
                                         "dml.scatter_elements",
                                         "dml.scatter_nd",
                                         "dml.gather_nd",
                                         "dml.gather_nd1",
                                         "dml.space_to_depth1",
                                         "dml.cumulative_summation",
                                         "openvino.gather_8" };
static const char *const classes[] = { "tails",      "tiles",    "grids",   "divisions", "layouts",
                                       "magnitudes", "patterns", "counts",  "history",   "acceptance",
                                       "refusal",    "values",   "meaning", "memory",    "process" };
#define COUNT(array) (sizeof(array) / sizeof *(array))

static const ts_backend *backend;
static char readme[65536];

static int load(void **state)
{
    (void)state;
    backend = TESTING_BACKEND("faulty");
    FILE *file = fopen(TOUCHSTONE_SOURCE_DIR "/backends/faulty/README.md", "rb");
    const size_t n = file ? fread(readme, 1, sizeof readme - 1, file) : 0;
    readme[n] = '\0';
    if (file)
        fclose(file);
    return backend && n > 0 && n < sizeof readme - 1 ? 0 : -1;
}

/* What a cell of the table should hold: "`NAME`, `NAME`"; empty: there is no fault. */
static void faults_of(const char *class, const char *op, char *cell, size_t size)
{
    size_t used = 0;
    cell[0] = '\0';
    for (const char *line = backend->describe_options(); *line; line = strchr(line, '\n') + 1) {
        char name[64], list[512], named[32];
        const char *end = strchr(line, '\n'), *bracket = end;
        while (bracket > line && *bracket != '[')
            --bracket;
        if (sscanf(line, "fault=%63s %511[^:\n]:", name, list) != 2 || sscanf(bracket, "[%31[a-z]]", named) != 1)
            continue;
        if (strcmp(named, class) == 0 && listed_has(list, op, true))
            used += (size_t)snprintf(cell + used, used < size ? size - used : 0, "%s`%s`", used ? ", " : "", name);
    }
    assert_true(used < size);
}

/* Cell number `column` of the row that begins with the class, in README.md's table with a column for each operator. */
static bool cell_of(const char *class, size_t column, char *cell, size_t size)
{
    char begin[64];
    snprintf(begin, sizeof begin, "\n| %s |", class);
    const char *table = strstr(readme, "\n| class | slice1 |"), *at = table ? strstr(table, begin) : NULL;
    if (!at)
        return false;
    at += strlen(begin);
    for (size_t i = 0; i < column && at; ++i) {
        at = strchr(at, '|');
        at = at ? at + 1 : NULL;
    }
    const size_t n = at ? strcspn(at, "|\n") : 0;
    if (n < 2 || at[n] != '|')
        return false;
    snprintf(cell, size, "%.*s", (int)(n - 2), at + 1);
    return true;
}

static void test_each_class_has_a_fault_or_a_reason(void **state)
{
    (void)state;
    unsigned wrong = 0;
    for (size_t c = 0; c < COUNT(classes); ++c)
        for (size_t o = 0; o < COUNT(operators); ++o) {
            char faults[4096], cell[4096];
            faults_of(classes[c], operators[o], faults, sizeof faults);
            const bool there = cell_of(classes[c], o, cell, sizeof cell);
            const bool reason = there && !faults[0] && strlen(cell) > 10 && !strchr(cell, '`');
            if (!there || (!reason && strcmp(faults, cell) != 0)) {
                print_message("README.md, %s, %s: expected %s\n", classes[c], operators[o],
                              faults[0] ? faults : "the reason why there is no fault");
                ++wrong;
            }
        }
    assert_int_equal(wrong, 0);
}

/* Every fault has one of the classes above. */
static void test_each_fault_has_a_class(void **state)
{
    (void)state;
    for (const char *line = backend->describe_options(); *line; line = strchr(line, '\n') + 1) {
        char text[1000];
        snprintf(text, sizeof text, "%.*s", (int)strcspn(line, "\n"), line);
        char *class = strrchr(text, '[');
        bool known = false;
        if (strncmp(text, "fault=", 6) != 0 || strncmp(text, "fault=none ", 11) == 0)
            continue;
        for (size_t c = 0; class && c < COUNT(classes); ++c) {
            char wanted[32];
            snprintf(wanted, sizeof wanted, "[%s]", classes[c]);
            known = known || strcmp(class, wanted) == 0;
        }
        if (!known)
            fail_msg("no class: %s", text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_fault_has_a_class),
        cmocka_unit_test(test_each_class_has_a_fault_or_a_reason),
    };
    return cmocka_run_group_tests(tests, load, NULL);
}
