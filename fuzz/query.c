/* SPDX-License-Identifier: Apache-2.0 */
/* Queries, options' values and what people write for them. */
#include "fuzz/fuzz.h"
#include "harness/cli/options.h"
#include "harness/casefile/query.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    error e;
    query q;
    check_options o = { .level = 0 };
    uint64_t number;
    char *text = fuzz_string(data, size);
    if (query_parse(text, &q, &e)) {
        query_match(q.op, "dml.slice1");
        query_match(q.test, text);
    }
    check_add_profile(&o, text, &e);
    options_level(text, &o.level, &e);
    options_number("--shard", text, 1, 100, &number, &e);
    free(text);
    return 0;
}
