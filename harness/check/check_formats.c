/* SPDX-License-Identifier: Apache-2.0 */
/* The formats that a binding may have: the values of DXGI_FORMAT that DxDispatch's parser knows. */
#include "harness/base/did_you_mean.h"
#include "harness/check/check_refusals.h"
#include "harness/check/check_tree.h"

#include <string.h>

static const char *const formats[] = {
    "UNKNOWN",
    "R32G32B32A32_TYPELESS",
    "R32G32B32A32_FLOAT",
    "R32G32B32A32_UINT",
    "R32G32B32A32_SINT",
    "R32G32B32_TYPELESS",
    "R32G32B32_FLOAT",
    "R32G32B32_UINT",
    "R32G32B32_SINT",
    "R16G16B16A16_TYPELESS",
    "R16G16B16A16_FLOAT",
    "R16G16B16A16_UNORM",
    "R16G16B16A16_UINT",
    "R16G16B16A16_SNORM",
    "R16G16B16A16_SINT",
    "R32G32_TYPELESS",
    "R32G32_FLOAT",
    "R32G32_UINT",
    "R32G32_SINT",
    "R32G8X24_TYPELESS",
    "D32_FLOAT_S8X24_UINT",
    "R32_FLOAT_X8X24_TYPELESS",
    "X32_TYPELESS_G8X24_UINT",
    "R10G10B10A2_TYPELESS",
    "R10G10B10A2_UNORM",
    "R10G10B10A2_UINT",
    "R11G11B10_FLOAT",
    "R8G8B8A8_TYPELESS",
    "R8G8B8A8_UNORM",
    "R8G8B8A8_UNORM_SRGB",
    "R8G8B8A8_UINT",
    "R8G8B8A8_SNORM",
    "R8G8B8A8_SINT",
    "R16G16_TYPELESS",
    "R16G16_FLOAT",
    "R16G16_UNORM",
    "R16G16_UINT",
    "R16G16_SNORM",
    "R16G16_SINT",
    "R32_TYPELESS",
    "D32_FLOAT",
    "R32_FLOAT",
    "R32_UINT",
    "R32_SINT",
    "R24G8_TYPELESS",
    "D24_UNORM_S8_UINT",
    "R24_UNORM_X8_TYPELESS",
    "X24_TYPELESS_G8_UINT",
    "R8G8_TYPELESS",
    "R8G8_UNORM",
    "R8G8_UINT",
    "R8G8_SNORM",
    "R8G8_SINT",
    "R16_TYPELESS",
    "R16_FLOAT",
    "D16_UNORM",
    "R16_UNORM",
    "R16_UINT",
    "R16_SNORM",
    "R16_SINT",
    "R8_TYPELESS",
    "R8_UNORM",
    "R8_UINT",
    "R8_SNORM",
    "R8_SINT",
    "A8_UNORM",
    "R1_UNORM",
    "R9G9B9E5_SHAREDEXP",
    "R8G8_B8G8_UNORM",
    "G8R8_G8B8_UNORM",
    "BC1_TYPELESS",
    "BC1_UNORM",
    "BC1_UNORM_SRGB",
    "BC2_TYPELESS",
    "BC2_UNORM",
    "BC2_UNORM_SRGB",
    "BC3_TYPELESS",
    "BC3_UNORM",
    "BC3_UNORM_SRGB",
    "BC4_TYPELESS",
    "BC4_UNORM",
    "BC4_SNORM",
    "BC5_TYPELESS",
    "BC5_UNORM",
    "BC5_SNORM",
    "B5G6R5_UNORM",
    "B5G5R5A1_UNORM",
    "B8G8R8A8_UNORM",
    "B8G8R8X8_UNORM",
    "R10G10B10_XR_BIAS_A2_UNORM",
    "B8G8R8A8_TYPELESS",
    "B8G8R8A8_UNORM_SRGB",
    "B8G8R8X8_TYPELESS",
    "B8G8R8X8_UNORM_SRGB",
    "BC6H_TYPELESS",
    "BC6H_UF16",
    "BC6H_SF16",
    "BC7_TYPELESS",
    "BC7_UNORM",
    "BC7_UNORM_SRGB",
    "AYUV",
    "Y410",
    "Y416",
    "NV12",
    "P010",
    "P016",
    "420_OPAQUE",
    "YUY2",
    "Y210",
    "Y216",
    "NV11",
    "AI44",
    "IA44",
    "P8",
    "A8P8",
    "B4G4R4A4_UNORM",
};

static bool is_format(const char *word)
{
    static const char prefix[] = "DXGI_FORMAT_";
    const size_t skipped = strncmp(word, prefix, sizeof prefix - 1) == 0 ? sizeof prefix - 1 : 0;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; ++i)
        if (strcmp(word + skipped, formats[i]) == 0)
            return true;
    return false;
}

static const char *hint_of(const char *word, char hint[DID_YOU_MEAN_SIZE])
{
    did_you_mean search;
    did_you_mean_start(&search, word);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; ++i)
        did_you_mean_try(&search, formats[i]);
    return did_you_mean_hint(&search, hint);
}

/* DXD-09: the format of a source that is bound. */
static bool find_format(source_text *t, check_span source, check_item *item, check_place (*place)(void *, size_t),
                        void *context, error *e)
{
    check_span at;
    char hint[DID_YOU_MEAN_SIZE];
    if (t->bytes[source.begin] != '{' || !json_scanner_find(t, source, "format", &at))
        return true;
    json_t *json = check_tree(t, at, e);
    const char *word = json_string_value(json);
    if (json && !word)
        check_find(item, "DXD-09", place(context, at.begin), "format: expected the name of a DXGI_FORMAT, a string");
    else if (json && !is_format(word))
        check_find(item, "DXD-09", place(context, at.begin), "format \"%.60s\" is no DXGI_FORMAT%s", word,
                   hint_of(word, hint));
    json_decref(json);
    return json != NULL;
}

bool check_find_formats(source_text *t, check_span bindings, check_place (*place)(void *context, size_t offset),
                        void *context, check_item *item, error *e)
{
    check_span key, value, one;
    size_t at = 0;
    bool ok = true;
    while (ok && json_scanner_member(t, bindings, &at, &key, &value)) {
        size_t next = 0;
        ok = find_format(t, value, item, place, context, e);
        while (ok && t->bytes[value.begin] == '[' && json_scanner_element(t, value, &next, &one))
            ok = find_format(t, one, item, place, context, e);
    }
    return ok;
}
