/* SPDX-License-Identifier: Apache-2.0 */
/*
 * make_rows CASE-FILE FOLDER
 *
 * Makes the rows of the covering tests of a case file and the points that tier quick has of drawn ones, and writes them
 * into FOLDER, where `touchstone` finds them (harness/casefile/kept_file.h). A step of the build.
 */
#include "harness/base/platform.h"
#include "harness/casefile/casefile.h"
#include "harness/casefile/kept_points.h"
#include "harness/casefile/kept_rows.h"
#include "harness/casefile/suite_digest.h"
#include "reference/operators.h"

#include <stdio.h>
#include <string.h>

static bool write_points(case_file *f, const char *path, const char *folder, error *e)
{
    const quick_cases none = { .count = 0 };
    char digest[SUITE_DIGEST_SIZE], sources[SUITE_DIGEST_SIZE];
    return suite_operator_digest(f->op, path, &none, digest, sources, e) && kept_points_write(f, sources, folder, e);
}

/* Write the rows and the points of a loaded file; it is freed. */
static bool write_file(case_file *f, const char *path, const char *folder, error *e)
{
    bool fine = f != NULL;
    for (size_t i = 0; fine && i < f->test_count; ++i) {
        case_test *t = &f->tests[i];
        fine = t->strength == 0 ||
               (space_cover(t->space, t->strength, e) && kept_rows_write(t->space, t->strength, folder, e));
    }
    fine = fine && write_points(f, path, folder, e);
    casefile_free(f);
    return fine;
}

/* Is it the name of the file, without its folder and its ending? */
static bool is_family(const char *family, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    return family && strncmp(name, family, strlen(family)) == 0 && strcmp(name + strlen(family), ".lua") == 0;
}

int main(int argc, char **argv)
{
    error e;
    size_t count, members = 0;
    const ts_operator *const *all = operators_all(&count);
    platform_begin();
    if (argc != 3) {
        fprintf(stderr, "usage: make_rows CASE-FILE FOLDER\n");
        return EXIT_BAD_USAGE;
    }
    bool fine = platform_make_folder(argv[2], &e);
    for (size_t i = 0; fine && i < count; ++i)
        if (is_family(operators_family(all[i]), argv[1]) && ++members)
            fine = write_file(casefile_load_of(argv[1], all[i], &e), argv[1], argv[2], &e);
    if (fine && members == 0)
        fine = write_file(casefile_load(argv[1], &e), argv[1], argv[2], &e);
    if (!fine)
        fprintf(stderr, "make_rows: %s\n", e.text);
    return fine ? 0 : (int)e.status;
}
