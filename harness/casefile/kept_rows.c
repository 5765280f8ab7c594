/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/kept_rows.h"

#include "harness/base/output.h"
#include "harness/base/platform.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

/* A file: MAGIC, its key, the size of its rows as bytes, these bytes compressed, and a checksum of all that. Numbers
   are little-endian, hashes as xxHash writes them. */
#define MAGIC        "TSROWS1\n"
#define MAGIC_SIZE   8
#define HASH_SIZE    16
#define HEADER_SIZE  (MAGIC_SIZE + HASH_SIZE + 8)
#define LARGEST_FILE ((size_t)64 << 20)
#define LARGEST_ROWS ((size_t)256 << 20)
#define WORTH_A_FILE 64 /* rows: fewer are made at once */

typedef struct hash {
    unsigned char bytes[HASH_SIZE];
} hash;

static hash hash_of(const void *bytes, size_t size)
{
    hash h;
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes, size));
    memcpy(h.bytes, canonical.digest, sizeof h.bytes);
    return h;
}

static bool key_of(const space *s, unsigned strength, hash *key)
{
    text t = { .data = NULL };
    text_format(&t, "%s\nstrength %u\n", TOUCHSTONE_COVERING_DIGEST, strength);
    space_describe(s, &t);
    if (!t.failed)
        *key = hash_of(t.data, t.length);
    const bool fine = !t.failed;
    text_free(&t);
    return fine;
}

static bool file_name(const hash *key, const char *folder, char *buf, size_t size)
{
    char name[2 * HASH_SIZE + 1];
    for (size_t i = 0; i < HASH_SIZE; ++i)
        snprintf(name + 2 * i, 3, "%02x", key->bytes[i]);
    return (size_t)snprintf(buf, size, "%s/%s.rows", folder, name) < size;
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

static bool take_rows(space *s, const hash *key, const unsigned char *bytes, size_t size)
{
    if (size < HEADER_SIZE + HASH_SIZE || memcmp(bytes, MAGIC, MAGIC_SIZE) != 0 ||
        memcmp(bytes + MAGIC_SIZE, key->bytes, HASH_SIZE) != 0)
        return false;
    const hash sum = hash_of(bytes, size - HASH_SIZE);
    const uint64_t whole = read_size(bytes + MAGIC_SIZE + HASH_SIZE);
    if (memcmp(bytes + size - HASH_SIZE, sum.bytes, HASH_SIZE) != 0 || whole == 0 || whole > LARGEST_ROWS)
        return false;
    unsigned char *rows = malloc((size_t)whole);
    uLongf length = (uLongf)whole;
    const bool fine = rows &&
                      uncompress(rows, &length, bytes + HEADER_SIZE, (uLong)(size - HEADER_SIZE - HASH_SIZE)) == Z_OK &&
                      length == whole && space_read_rows(s, rows, (size_t)whole);
    free(rows);
    return fine;
}

static bool load_from(space *s, const hash *key, const char *folder, bool is_cache)
{
    char path[PATH_MAX];
    text t = { .data = NULL };
    if (!file_name(key, folder, path, sizeof path))
        return false;
    FILE *file = is_cache ? platform_open_protected(path) : fopen(path, "rb");
    if (!file)
        return false;
    const bool fine = read_file(file, &t) && t.length > 0 && take_rows(s, key, (unsigned char *)t.data, t.length);
    fclose(file);
    text_free(&t);
    return fine;
}

bool kept_rows_load(space *s, unsigned strength)
{
    static const char *const beside[] = { "../share/touchstone/rows", "../rows" };
    char program[PATH_MAX], folder[PATH_MAX + 32];
    hash key;
    if (!key_of(s, strength, &key))
        return false;
    const bool known = platform_program_folder(program, sizeof program);
    for (size_t i = 0; known && i < sizeof beside / sizeof beside[0]; ++i) {
        snprintf(folder, sizeof folder, "%s/%s", program, beside[i]);
        if (load_from(s, &key, folder, false))
            return true;
    }
    return load_from(s, &key, TOUCHSTONE_DATADIR "/rows", false) ||
           (platform_cache_folder(folder, sizeof folder) && load_from(s, &key, folder, true));
}

/* ---- writing ---- */

static bool write_to(const space *s, const hash *key, const char *folder, bool is_cache, error *e)
{
    char path[PATH_MAX];
    text rows = { .data = NULL };
    output o;
    if (!file_name(key, folder, path, sizeof path))
        return error_usage(e, "%s: the name is too long", folder);
    space_write_rows(s, &rows);
    uLongf length = compressBound((uLong)rows.length);
    unsigned char *packed = malloc(length);
    bool fine = packed && !rows.failed && compress2(packed, &length, (Bytef *)rows.data, (uLong)rows.length, 9) == Z_OK;
    if (!fine)
        error_set(e, "%s: out of memory", path);
    if (is_cache)
        remove(path); /* whatever it is: not one that could be used */
    if (fine && (fine = output_open(&o, path, e))) {
        unsigned char size[8];
        for (unsigned i = 0; i < 8; ++i)
            size[i] = (unsigned char)((uint64_t)rows.length >> 8 * i);
        text_bytes(&o.text, MAGIC, MAGIC_SIZE);
        text_bytes(&o.text, key->bytes, HASH_SIZE);
        text_bytes(&o.text, size, sizeof size);
        text_bytes(&o.text, packed, length);
        if (!o.text.failed) {
            const hash sum = hash_of(o.text.data, o.text.length);
            text_bytes(&o.text, sum.bytes, HASH_SIZE);
        }
        fine = output_close(&o, true, e) && (!is_cache || platform_protect_file(path));
    }
    free(packed);
    text_free(&rows);
    return fine;
}

void kept_rows_save(const space *s, unsigned strength)
{
    char folder[PATH_MAX];
    hash key;
    error unused; /* then the rows are made again next time */
    if (space_points(s) >= WORTH_A_FILE && key_of(s, strength, &key) && platform_cache_folder(folder, sizeof folder) &&
        platform_make_cache_folder(folder, &unused))
        write_to(s, &key, folder, true, &unused);
}

bool kept_rows_write(const space *s, unsigned strength, const char *folder, error *e)
{
    hash key;
    return key_of(s, strength, &key) ? write_to(s, &key, folder, false, e) : error_set(e, "out of memory");
}
