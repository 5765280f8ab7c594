/* SPDX-License-Identifier: Apache-2.0 */
/* DxDispatch models as evaluations: descriptors, bindings and the data of resources. */
#include "fuzz/fuzz.h"
#include "harness/check/check_file.h"

/* Resources of up to a gigabyte are legal, but no use here. */
static bool has_long_number(const char *text)
{
    size_t digits = 0;
    for (; *text && digits < 6; ++text)
        digits = *text >= '0' && *text <= '9' ? digits + 1 : *text == 'e' || *text == 'E' ? digits + 3 : 0;
    return digits >= 6;
}

static bool see(void *context, const check_item *item, error *e)
{
    (void)context;
    return check_item_evaluable(item, e);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_file f;
    error e;
    check_options o = { .level = 0 };
    char *text = fuzz_string(data, size);
    if (!has_long_number(text) && check_file_copy(&f, "fuzz.json", data, size, CHECK_DISPATCHES, &e)) {
        check_file_visit(&f, &o, see, NULL, &e);
        check_file_close(&f);
    }
    free(text);
    return 0;
}
