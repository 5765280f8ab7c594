/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/formats/webnn.h"

#include "backends/backend.h"

#include <string.h>

static const char *const names[TS_DTYPE_COUNT] = {
    [TS_FLOAT32] = "float32", [TS_FLOAT16] = "float16", [TS_INT8] = "int8",   [TS_UINT8] = "uint8",
    [TS_INT32] = "int32",     [TS_UINT32] = "uint32",   [TS_INT64] = "int64", [TS_UINT64] = "uint64",
};

const char *webnn_type_name(uint32_t dtype)
{
    return dtype < TS_DTYPE_COUNT ? names[dtype] : NULL;
}

uint32_t webnn_type_named(const char *name)
{
    for (uint32_t i = 0; i < TS_DTYPE_COUNT; ++i)
        if (names[i] && strcmp(names[i], name) == 0)
            return i;
    return TS_DTYPE_UNKNOWN;
}
