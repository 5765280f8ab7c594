/* SPDX-License-Identifier: Apache-2.0 */
/* Opening a run file and reading all of it: one that is damaged is refused, and never harms. Its checksums are then
   made right, as contents that a faulty Touchstone wrote would be, so that the readers see damage as well. */
#include "fuzz/fuzz.h"
#include "harness/store/summary.h"
#include "harness/testing/run_contents.h"
#include "harness/testing/run_forging.h"

static void read_all(store *s)
{
    text t = { 0 };
    summary m;
    error e;
    if (!s)
        return;
    contents_read(s, &t, &e);
    summary_read(&m, s, &e);
    summary_free(&m);
    text_free(&t);
    store_close(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    error e;
    const char *path = fuzz_file(data, size, ".run");
    read_all(store_open(path, &e));
    forge_checksums(path);
    read_all(store_open_uncounted(path, &e));
    unlink(path);
    return 0;
}
