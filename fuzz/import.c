/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of WebNN, in JSON and in JavaScript. */
#include "fuzz/fuzz.h"
#include "harness/check/check_import.h"

static bool see(void *context, const check_imported *test, error *e)
{
    (void)context;
    (void)e;
    return test->result < CHECK_IMPORT_RESULTS;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    source_text t;
    error e;
    for (int javascript = 0; javascript < 2; ++javascript) {
        if (!source_text_copy(&t, "fuzz", data, size, &e))
            return 0;
        check_import_text(&t, javascript, see, NULL, &e);
        source_text_free(&t);
    }
    return 0;
}
