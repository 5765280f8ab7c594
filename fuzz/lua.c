/* SPDX-License-Identifier: Apache-2.0 */
/* Case files, and files of descriptors, in the sandbox. Its steps are what keeps an input short. */
#include "fuzz/fuzz.h"
#include "harness/casefile/casefile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    error e;
    fuzz_printer p;
    const char *path = fuzz_file(data, size, ".lua");
    case_file *f = casefile_load(path, &e);
    if (!f && e.text[0] == 0)
        abort();
    casefile_free(f);
    fuzz_printer_begin(&p, CHECK_JSON);
    bool ok = check_read_file(path, &p.options, check_print_item, &p.printer, &e);
    fuzz_printer_end(&p, ok, &e);
    unlink(path);
    return 0;
}
