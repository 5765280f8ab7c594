/* SPDX-License-Identifier: Apache-2.0 */
/* The checker's OpenVINO IR, without a .bin file. */
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    source_text t;
    error e;
    if (!source_text_copy(&t, "fuzz.xml", data, size, &e))
        return 0;
    fuzz_printer p;
    fuzz_printer_begin(&p, CHECK_TEXT);
    if (size % 2 && !check_add_profile(&p.options, "strict_shrink,ov_equal_masks", &e))
        abort();
    p.options.go_on = size % 3;
    bool ok = check_read_ir(&t, NULL, &p.options, check_print_item, &p.printer, &e);
    fuzz_printer_end(&p, ok, &e);
    source_text_free(&t);
    return 0;
}
