/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/kept_file.h"

#include "harness/base/output.h"
#include "harness/base/platform.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

/* A file: its magic, its key, the size of its content as bytes, the content compressed, and a checksum of all that.
   Numbers are little-endian, hashes as xxHash writes them. */
#define HASH_SIZE     sizeof(kept_key)
#define HEADER_SIZE   (KEPT_MAGIC_SIZE + HASH_SIZE + 8)
#define LARGEST_FILE  ((size_t)64 << 20)
#define LARGEST_WHOLE ((size_t)256 << 20)

kept_key kept_key_of(const void *bytes, size_t size)
{
    kept_key h;
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes, size));
    memcpy(h.bytes, canonical.digest, sizeof h.bytes);
    return h;
}

static bool file_name(const kept_file *f, const char *folder, char *buf, size_t size)
{
    char name[2 * HASH_SIZE + 1];
    for (size_t i = 0; i < HASH_SIZE; ++i)
        snprintf(name + 2 * i, 3, "%02x", f->key.bytes[i]);
    return (size_t)snprintf(buf, size, "%s/%s.%s", folder, f->name ? f->name : name, f->ending) < size;
}

/* ---- reading ---- */

static uint64_t read_size(const unsigned char *at)
{
    uint64_t size = 0;
    for (unsigned i = 0; i < 8; ++i)
        size |= (uint64_t)at[i] << 8 * i;
    return size;
}

/* Read at most LARGEST_FILE bytes. */
static bool read_file(FILE *file, text *t)
{
    static const size_t piece = 1 << 16;
    char *buffer = malloc(piece);
    size_t n;
    while (buffer && t->length <= LARGEST_FILE && (n = fread(buffer, 1, piece, file)) > 0)
        text_bytes(t, buffer, n);
    const bool fine = buffer && !ferror(file) && !t->failed && t->length <= LARGEST_FILE;
    free(buffer);
    return fine;
}

/* Check what was read, and give the content to `take`. */
static bool take_content(const kept_file *f, const unsigned char *bytes, size_t size, kept_take *take, void *context)
{
    if (size < HEADER_SIZE + HASH_SIZE || memcmp(bytes, f->magic, KEPT_MAGIC_SIZE) != 0 ||
        memcmp(bytes + KEPT_MAGIC_SIZE, f->key.bytes, HASH_SIZE) != 0)
        return false;
    const kept_key sum = kept_key_of(bytes, size - HASH_SIZE);
    const uint64_t whole = read_size(bytes + KEPT_MAGIC_SIZE + HASH_SIZE);
    if (memcmp(bytes + size - HASH_SIZE, sum.bytes, HASH_SIZE) != 0 || whole == 0 || whole > LARGEST_WHOLE)
        return false;
    unsigned char *content = malloc((size_t)whole);
    uLongf length = (uLongf)whole;
    const bool fine =
        content && uncompress(content, &length, bytes + HEADER_SIZE, (uLong)(size - HEADER_SIZE - HASH_SIZE)) == Z_OK &&
        length == whole && take(context, content, (size_t)whole);
    free(content);
    return fine;
}

static bool load_from(const kept_file *f, const char *folder, bool is_cache, kept_take *take, void *context)
{
    char path[PATH_MAX];
    text t = { .data = NULL };
    if (!file_name(f, folder, path, sizeof path))
        return false;
    FILE *file = is_cache ? platform_open_protected(path) : fopen(path, "rb");
    if (!file)
        return false;
    const bool fine =
        read_file(file, &t) && t.length > 0 && take_content(f, (unsigned char *)t.data, t.length, take, context);
    fclose(file);
    text_free(&t);
    return fine;
}

bool kept_file_load(const kept_file *f, kept_take *take, void *context)
{
    static const char *const beside[] = { "../share/touchstone/rows", "../rows" };
    char program[PATH_MAX], folder[PATH_MAX + 32];
    const bool known = platform_program_folder(program, sizeof program);
    for (size_t i = 0; known && i < sizeof beside / sizeof beside[0]; ++i) {
        snprintf(folder, sizeof folder, "%s/%s", program, beside[i]);
        if (load_from(f, folder, false, take, context))
            return true;
    }
    return load_from(f, TOUCHSTONE_DATADIR "/rows", false, take, context);
}

bool kept_file_load_cached(const kept_file *f, kept_take *take, void *context)
{
    char folder[PATH_MAX];
    return platform_cache_folder(folder, sizeof folder) && load_from(f, folder, true, take, context);
}

/* ---- writing ---- */

static bool write_to(const kept_file *f, const text *content, const char *folder, bool is_cache, error *e)
{
    char path[PATH_MAX];
    output o;
    if (!file_name(f, folder, path, sizeof path))
        return error_usage(e, "%s: the name is too long", folder);
    uLongf length = compressBound((uLong)content->length);
    unsigned char *packed = malloc(length);
    bool fine = packed && !content->failed &&
                compress2(packed, &length, (Bytef *)content->data, (uLong)content->length, 9) == Z_OK;
    if (!fine)
        error_set(e, "%s: out of memory", path);
    if (is_cache)
        remove(path); /* whatever it is: not one that could be used */
    if (fine && (fine = output_open(&o, path, e))) {
        unsigned char size[8];
        for (unsigned i = 0; i < 8; ++i)
            size[i] = (unsigned char)((uint64_t)content->length >> 8 * i);
        text_bytes(&o.text, f->magic, KEPT_MAGIC_SIZE);
        text_bytes(&o.text, f->key.bytes, HASH_SIZE);
        text_bytes(&o.text, size, sizeof size);
        text_bytes(&o.text, packed, length);
        if (!o.text.failed) {
            const kept_key sum = kept_key_of(o.text.data, o.text.length);
            text_bytes(&o.text, sum.bytes, HASH_SIZE);
        }
        fine = output_close(&o, true, e) && (!is_cache || platform_protect_file(path));
    }
    free(packed);
    return fine;
}

bool kept_file_write(const kept_file *f, const text *content, const char *folder, error *e)
{
    return write_to(f, content, folder, false, e);
}

void kept_file_cache(const kept_file *f, const text *content)
{
    char folder[PATH_MAX];
    error unused; /* then the content is made again next time */
    if (platform_cache_folder(folder, sizeof folder) && platform_make_cache_folder(folder, &unused))
        write_to(f, content, folder, true, &unused);
}
