/* SPDX-License-Identifier: Apache-2.0 */
/* DxDispatch models as evaluations: descriptors, bindings and the data of resources. */
#include "fuzz/fuzz.h"
#include "harness/check_dxdispatch.h"

/* Resources of up to a gigabyte are legal, but no use here. */
static bool has_long_number(const char *text)
{
    size_t digits = 0;
    for (; *text && digits < 6; ++text)
        digits = *text >= '0' && *text <= '9' ? digits + 1 : *text == 'e' || *text == 'E' ? digits + 3 : 0;
    return digits >= 6;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_text t;
    check_span root;
    error e;
    if (!check_text_copy(&t, "fuzz.json", data, size, &e))
        return 0;
    if (!has_long_number(t.bytes) && check_text_json(&t, &root, &e)) {
        json_t *json = json_loadb(t.bytes, t.size, JSON_REJECT_DUPLICATES, NULL);
        json_decref(json ? check_model_records(json, &e) : NULL);
        json_decref(json);
    }
    check_text_free(&t);
    return 0;
}
