/* SPDX-License-Identifier: Apache-2.0 */
/* Serialized graphs of DirectML operators, judged and printed in every format. */
#include "fuzz/fuzz.h"
#include "harness/check/check_graph.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    error e;
    check_item *item = calloc(1, sizeof *item);
    for (int format = CHECK_TEXT; item && format <= CHECK_SARIF; ++format) {
        fuzz_printer p;
        item->file = "fuzz.bin";
        item->index = 0;
        fuzz_printer_begin(&p, (check_format)format);
        p.options.go_on = p.options.partly = size % 2;
        const check_graph g = {
            .path = "", .o = &p.options, .item = item, .visit = check_print_item, .context = &p.printer
        };
        const bool ok = check_graph_bytes(&g, data, size, &e);
        fuzz_printer_end(&p, ok, &e);
        if (!ok)
            break;
    }
    free(item);
    return 0;
}
