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

#include <stdio.h>

static bool write_points(case_file *f, const char *path, const char *folder, error *e)
{
    const quick_cases none = { .count = 0 };
    char digest[SUITE_DIGEST_SIZE], sources[SUITE_DIGEST_SIZE];
    return suite_operator_digest(f->op, path, &none, digest, sources, e) && kept_points_write(f, sources, folder, e);
}

int main(int argc, char **argv)
{
    error e;
    platform_begin();
    if (argc != 3) {
        fprintf(stderr, "usage: make_rows CASE-FILE FOLDER\n");
        return EXIT_BAD_USAGE;
    }
    case_file *f = casefile_load(argv[1], &e);
    bool fine = f && platform_make_folder(argv[2], &e);
    for (size_t i = 0; fine && i < f->test_count; ++i) {
        case_test *t = &f->tests[i];
        fine = t->strength == 0 ||
               (space_cover(t->space, t->strength, &e) && kept_rows_write(t->space, t->strength, argv[2], &e));
    }
    fine = fine && write_points(f, argv[1], argv[2], &e);
    casefile_free(f);
    if (!fine)
        fprintf(stderr, "make_rows: %s\n", e.text);
    return fine ? 0 : (int)e.status;
}
