/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/formats/export_npz.h"

#include "harness/formats/export_pack.h"
#include "harness/model/descriptor.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* ---- zip: entries without compression, then a directory that repeats their heads -----------------------------------
 */

enum { ZIP_VERSION = 20, ZIP_DATE = 0x21 /* 1980-01-01: the same bytes at any time */, ZIP_CRC_OF_NOTHING = 0 };

static void number(text *t, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; ++i) {
        const unsigned char byte = (unsigned char)(value >> (8 * i));
        text_bytes(t, &byte, 1);
    }
}

/* What an entry and its line in the directory have in common. */
static void zip_head(text *t, const char *name, uint32_t crc, size_t size)
{
    number(t, ZIP_VERSION, 2);
    number(t, 0, 2); /* flags */
    number(t, 0, 2); /* stored */
    number(t, 0, 2); /* time */
    number(t, ZIP_DATE, 2);
    number(t, crc, 4);
    number(t, size, 4);
    number(t, size, 4);
    number(t, strlen(name), 2);
    number(t, 0, 2); /* extra */
}

/* Add an entry to the archive, and its line to the directory. */
static void zip_add(text *archive, text *directory, const char *name, const text *bytes)
{
    const uint32_t crc = (uint32_t)crc32(ZIP_CRC_OF_NOTHING, (const unsigned char *)bytes->data, (uInt)bytes->length);
    const size_t at = archive->length;
    text_bytes(archive, "PK\3\4", 4);
    zip_head(archive, name, crc, bytes->length);
    text_add(archive, name);
    text_bytes(archive, bytes->data, bytes->length);
    archive->failed |= bytes->failed;
    text_bytes(directory, "PK\1\2", 4);
    number(directory, ZIP_VERSION, 2);
    zip_head(directory, name, crc, bytes->length);
    number(directory, 0, 2); /* comment */
    number(directory, 0, 2); /* disk */
    number(directory, 0, 2); /* attributes */
    number(directory, 0, 4);
    number(directory, at, 4);
    text_add(directory, name);
}

static void zip_end(text *archive, const text *directory, unsigned entries)
{
    const size_t at = archive->length;
    text_bytes(archive, directory->data, directory->length);
    text_bytes(archive, "PK\5\6\0\0\0\0", 8);
    number(archive, entries, 2);
    number(archive, entries, 2);
    number(archive, directory->length, 4);
    number(archive, at, 4);
    number(archive, 0, 2); /* comment */
    archive->failed |= directory->failed;
}

/* ---- arrays --------------------------------------------------------------------------------------------------------
 */

/* numpy's name of a type; NULL where it has none. */
static const char *numpy_type(uint32_t dtype)
{
    static const char *const names[TS_DTYPE_COUNT] = {
        [TS_FLOAT32] = "<f4", [TS_FLOAT16] = "<f2", [TS_FLOAT64] = "<f8", [TS_BFLOAT16] = "<u2", [TS_UINT8] = "|u1",
        [TS_UINT16] = "<u2",  [TS_UINT32] = "<u4",  [TS_UINT64] = "<u8",  [TS_INT8] = "|i1",     [TS_INT16] = "<i2",
        [TS_INT32] = "<i4",   [TS_INT64] = "<i8",   [TS_BOOLEAN] = "|b1",
    };
    return dtype < TS_DTYPE_COUNT ? names[dtype] : NULL;
}

/* Append an array in numpy's format, version 1.0: a head that ends at a multiple of 64, then the elements. */
static bool add_array(text *t, const ts_tensor *tensor)
{
    text head = { .data = NULL };
    size_t size;
    unsigned char *packed = export_pack(tensor, &size);
    text_format(&head, "{'descr': '%s', 'fortran_order': False, 'shape': (", numpy_type(tensor->dtype));
    for (uint32_t i = 0; i < tensor->rank; ++i)
        text_format(&head, "%" PRIu64 ",", tensor->sizes[i]);
    text_add(&head, "), }");
    while ((10 + head.length + 1) % 64 != 0 && !head.failed)
        text_add(&head, " ");
    text_add(&head, "\n");
    text_bytes(t, "\x93NUMPY\1\0", 8);
    number(t, head.length, 2);
    text_bytes(t, head.data, head.length);
    if (packed)
        text_bytes(t, packed, size);
    t->failed |= head.failed || !packed;
    text_free(&head);
    free(packed);
    return !t->failed;
}

static bool add_record(text *t, const case_view *c)
{
    const ts_descriptor *d = &c->build.now.descriptor;
    json_t *record =
        json_pack("{s:s, s:s, s:o}", "id", c->id, "operator", d->op->name, "descriptor", descriptor_to_json(d));
    char *dump = record ? json_dumps(record, JSON_PRESERVE_ORDER) : NULL;
    text_add(t, dump ? dump : "");
    t->failed |= !dump;
    free(dump);
    json_decref(record);
    return !t->failed;
}

/* ---- the case ------------------------------------------------------------------------------------------------------
 */

static bool expressible(const case_view *c, export_files *f)
{
    const ts_descriptor *d = &c->value.descriptor;
    if (!export_has_outputs(c, f))
        return false;
    for (unsigned t = 0; t < d->op->tensor_count; ++t)
        if (d->tensors[t].data && !numpy_type(d->tensors[t].dtype))
            return export_cannot(f, "%s: its type has less than a byte", d->op->tensors[t].name);
    return true;
}

bool export_npz(case_view *c, export_files *f, error *e)
{
    const ts_descriptor *d = &c->value.descriptor;
    text directory = { .data = NULL }, entry = { .data = NULL };
    unsigned entries = 1;
    char name[80];
    if (!expressible(c, f))
        return false;
    text *archive = export_add(f, "");
    bool fine = add_record(&entry, c);
    zip_add(archive, &directory, "case.json", &entry);
    for (unsigned t = 0; fine && t < d->op->tensor_count; ++t) {
        if (!d->tensors[t].data)
            continue;
        entry.length = 0;
        fine = add_array(&entry, &d->tensors[t]);
        snprintf(name, sizeof name, "%s.npy", d->op->tensors[t].name);
        zip_add(archive, &directory, name, &entry);
        ++entries;
    }
    zip_end(archive, &directory, entries);
    text_free(&directory);
    text_free(&entry);
    return fine || error_set(e, "out of memory");
}
