/* SPDX-License-Identifier: Apache-2.0 */
/* JSON files: models, operators and records, judged and printed in every format, and read with their inputs. */
#include "fuzz/fuzz.h"
#include "harness/check/check_file.h"

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
    for (int format = CHECK_TEXT; format <= CHECK_SARIF; ++format) {
        if (!check_file_copy(&f, "fuzz.json", data, size, CHECK_DESCRIPTORS, &e))
            return 0;
        fuzz_printer p;
        fuzz_printer_begin(&p, (check_format)format);
        p.options.go_on = size % 2;
        bool ok = check_file_visit(&f, &p.options, check_print_item, &p.printer, &e);
        fuzz_printer_end(&p, ok, &e);
        check_file_close(&f);
        if (!ok)
            break;
    }
    if (check_file_copy(&f, "fuzz.json", data, size, CHECK_INPUTS, &e)) {
        check_file_visit(&f, &o, see, NULL, &e);
        check_file_close(&f);
    }
    return 0;
}
