/* SPDX-License-Identifier: Apache-2.0 */
/* A case is built from the previous case if little changed. The result must equal a case built from scratch. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/casefile/casebuild.h"
#include "reference/operators.h"

#include <stdio.h>

#define CASES 30000u /* of each test */

static void built_step_by_step(void **state)
{
    size_t count;
    const ts_operator *const *all = operators_all(&count);
    (void)state;
    for (size_t o = 0; o < count; ++o) {
        char path[1024];
        error e;
        snprintf(path, sizeof path, "%s/cases/%s.lua", TOUCHSTONE_SOURCE_DIR, all[o]->name);
        for (char *p = path + strlen(TOUCHSTONE_SOURCE_DIR); *p; ++p)
            if (*p == '.' && strcmp(p, ".lua") != 0)
                *p = '/';
        case_file *f = casefile_load(path, &e);
        if (!f)
            fail_msg("%s", e.text);
        for (size_t t = 0; t < f->test_count; ++t) {
            casebuild steps, fresh;
            space_cursor c, there;
            uint64_t n = 0;
            if (f->tests[t].kind == CASE_BEYOND)
                continue;
            assert_true(casefile_prepare(&f->tests[t], &e));
            casebuild_init(&steps, &f->tests[t], 0, 0, NULL);
            for (bool more = space_start(&c, f->tests[t].space, 0, UINT64_MAX, NULL, NULL); more && n < CASES;
                 more = space_next(&c), ++n) {
                if (!casebuild_case(&steps, &c, &e))
                    fail_msg("%s", e.text);
                if (n % 11 != 0)
                    continue;
                casebuild_init(&fresh, &f->tests[t], 0, 0, NULL);
                assert_true(space_start(&there, f->tests[t].space, c.index, c.index + 1, NULL, NULL));
                assert_true(casebuild_case(&fresh, &there, &e));
                if (memcmp(&steps.now.descriptor, &fresh.now.descriptor, sizeof fresh.now.descriptor) != 0) {
                    char id[CASE_ID_SIZE];
                    space_format_id(&c, id, sizeof id);
                    fail_msg("%s is another descriptor after its predecessor than alone", id);
                }
            }
            assert_true(n > 0);
        }
        casefile_free(f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(built_step_by_step) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
