/* SPDX-License-Identifier: Apache-2.0 */
/* Opening a run file and reading all its findings: one that is damaged is refused or read, and never harms. */
#include "fuzz/fuzz.h"
#include "harness/store/store.h"

static bool see(void *context, const store_finding *f)
{
    (void)context;
    return f != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    error e;
    const char *path = fuzz_file(data, size, ".run");
    store *s = store_open(path, &e);
    if (s)
        store_each_finding(s, 0, 100, see, NULL, &e);
    store_close(s);
    unlink(path);
    return 0;
}
