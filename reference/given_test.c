/* SPDX-License-Identifier: Apache-2.0 */
/* The constants for ts_call::attrs_given that the headers of the operators declare for authors of backends. */
#include "harness/base/text.h"
#include "reference/operators.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Append a name in capitals: "InputWindowOffsets" and "begin_mask" become INPUT_WINDOW_OFFSETS and BEGIN_MASK. */
static void add_capitals(text *t, const char *name)
{
    for (size_t i = 0; name[i]; ++i) {
        if (i > 0 && isupper((unsigned char)name[i]) && islower((unsigned char)name[i - 1]))
            text_add(t, "_");
        text_format(t, "%c", toupper((unsigned char)name[i]));
    }
}

/* Has DirectML an operator of this name, without that of the specification? */
static bool is_of_directml(const char *name)
{
    char full[64];
    snprintf(full, sizeof full, "dml.%s", name);
    return operators_find(full) != NULL;
}

static void every_attribute_has_a_named_bit(void **state)
{
    (void)state;
    size_t count;
    const ts_operator *const *all = operators_all(&count);
    for (size_t i = 0; i < count; ++i) {
        const char *dot = strchr(all[i]->name, '.');
        char path[1200];
        text header = { .data = NULL };
        const char *family = operators_family(all[i]);
        snprintf(path, sizeof path, TOUCHSTONE_SOURCE_DIR "/reference/%.*s/%s.h", (int)(dot - all[i]->name),
                 all[i]->name, family ? family : dot + 1);
        if (all[i]->attr_count == 0)
            continue;
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        assert_true(text_read(&header, file));
        fclose(file);
        for (unsigned k = 0; k < all[i]->attr_count; ++k) {
            text wanted = { .data = NULL };
            text_add(&wanted, "TS_");
            if (strncmp(all[i]->name, "dml.", 4) != 0 && is_of_directml(dot + 1))
                text_add(&wanted, "OPENVINO_"); /* a backend includes both headers */
            add_capitals(&wanted, dot + 1);
            text_add(&wanted, "_GIVEN_");
            add_capitals(&wanted, all[i]->attrs[k].name);
            text_format(&wanted, " = 1u << %u", k);
            if (!strstr(header.data, wanted.data))
                fail_msg("%s does not declare %s", path, wanted.data);
            text_free(&wanted);
        }
        text_free(&header);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_attribute_has_a_named_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
