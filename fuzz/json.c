/* SPDX-License-Identifier: Apache-2.0 */
/* The checker's JSON: models, operators and records, judged and printed in every format. */
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_text t;
    error e;
    for (int format = CHECK_TEXT; format <= CHECK_SARIF; ++format) {
        if (!check_text_copy(&t, "fuzz.json", data, size, &e))
            return 0;
        fuzz_printer p;
        fuzz_printer_begin(&p, (check_format)format);
        bool ok = check_read_json(&t, &p.options, check_print_item, &p.printer, &e);
        fuzz_printer_end(&p, ok, &e);
        check_text_free(&t);
        if (!ok)
            break;
    }
    return 0;
}
