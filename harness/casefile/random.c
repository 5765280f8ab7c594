/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/random.h"

#include "harness/model/fill.h"

#define MAX_DIMS 16

void random_begin(random_source *r, uint64_t key)
{
    r->state = fill_mix(key + UINT64_C(0x9E3779B97F4A7C15));
}

uint64_t random_bits(random_source *r)
{
    r->state += UINT64_C(0x9E3779B97F4A7C15);
    return fill_mix(r->state);
}

uint64_t random_below(random_source *r, uint64_t n)
{
    return random_bits(r) % n; /* the bias is at most n / 2^64 */
}

bool random_chance(random_source *r, unsigned percent)
{
    return random_below(r, 100) < percent;
}

static unsigned bits_of(uint64_t x)
{
    return x ? 64 - (unsigned)__builtin_clzll(x) : 0;
}

/* A number of low to high bits, uniformly in that number. */
static uint64_t with_bits(random_source *r, uint64_t low, uint64_t high)
{
    const unsigned from = bits_of(low), bits = from + (unsigned)random_below(r, bits_of(high) - from + 1);
    if (bits == 0)
        return 0;
    const uint64_t half = UINT64_C(1) << (bits - 1), base = half > low ? half : low;
    const uint64_t top = bits == 64 ? UINT64_MAX : 2 * half - 1, last = top < high ? top : high;
    return base + (last - base == UINT64_MAX ? random_bits(r) : random_below(r, last - base + 1));
}

/* As random_about, for numbers without a sign. */
static uint64_t magnitude(random_source *r, uint64_t low, uint64_t high)
{
    static const uint8_t factors[] = { 3, 5, 6, 7, 9, 12, 15, 24, 33, 48, 96 };
    const uint64_t kind = random_below(r, 16);
    uint64_t value = with_bits(r, low, high);
    if (kind == 0)
        return low;
    if (kind == 1)
        return high;
    if (kind <= 5 && value > 0) /* beside a power of two */
        value = (UINT64_C(1) << (bits_of(value) - 1)) + random_below(r, 3) - 1;
    else if (kind <= 7 && value > 0)
        value = (UINT64_C(1) << (bits_of(value) / 2)) * factors[random_below(r, sizeof factors)];
    return value < low || value > high ? with_bits(r, low, high) : value;
}

int64_t random_about(random_source *r, int64_t low, int64_t high)
{
    if (low >= high)
        return low;
    if (low >= 0)
        return (int64_t)magnitude(r, (uint64_t)low, (uint64_t)high);
    if (high < 0)
        return (int64_t)(0 - magnitude(r, 0 - (uint64_t)high, 0 - (uint64_t)low));
    if (high > 0 && random_chance(r, 50))
        return (int64_t)magnitude(r, 0, (uint64_t)high);
    return (int64_t)(0 - magnitude(r, random_chance(r, 90), 0 - (uint64_t)low));
}

uint64_t random_count(random_source *r)
{
    const uint64_t kind = random_below(r, 100);
    if (kind < 30)
        return UINT64_C(65535) + random_below(r, 3);
    if (kind < 50) /* a few times the limit, and a remainder */
        return UINT64_C(65535) * (1 + random_below(r, 4)) + random_below(r, 260);
    return magnitude(r, 65536, kind < 85 ? 1 << 18 : 1 << 20);
}

void random_permutation(random_source *r, unsigned n, unsigned *order)
{
    for (unsigned i = 0; i < n; ++i) {
        const unsigned k = (unsigned)random_below(r, i + 1);
        order[i] = order[k];
        order[k] = i;
    }
}

/* The size of one dimension, at most `high`. `others` are those that were drawn before. */
static uint64_t draw_size(random_source *r, uint64_t high, const int64_t *others, unsigned count)
{
    const uint64_t kind = random_below(r, 100);
    if (kind < 53)
        return 1 + random_below(r, high < 9 ? high : 9);
    if (kind < 60) { /* a multiple of 4 to 32: what vectors and tiles divide */
        const uint64_t unit = UINT64_C(4) << random_below(r, 4), most = high / unit;
        return most ? unit * (1 + random_below(r, most < 8 ? most : 8)) : high;
    }
    if (kind < 65 && count > 0) {
        const uint64_t same = (uint64_t)others[random_below(r, count)];
        return same <= high ? same : high;
    }
    return kind < 88 ? magnitude(r, 1, high) : 1;
}

void random_sizes(random_source *r, unsigned n, uint64_t elements, uint64_t most, int64_t *sizes)
{
    unsigned order[MAX_DIMS];
    int64_t drawn[MAX_DIMS];
    random_permutation(r, n, order);
    uint64_t side = 1; /* of two dimensions that are longer than a tile at once */
    if (n >= 2 && elements >= 1024 && most > 64 && random_chance(r, 25))
        while (side * side * 4 <= elements)
            side *= 2;
    const bool deep =
        side == 1 && n >= 4 && most > 1 && elements >> n > 0 && random_chance(r, 15); /* a loop for each dimension */
    for (unsigned i = 0; i < n; ++i) {
        const uint64_t high = deep ? elements >> (n - 1 - i) : elements;
        drawn[i] = (int64_t)draw_size(r, high < most ? high : most, drawn, i);
        if (deep && drawn[i] == 1)
            drawn[i] = 2;
        if (i < 2 && side > 1)
            drawn[i] = (int64_t)magnitude(r, 17, side < most ? side : most);
        sizes[order[i]] = drawn[i];
        elements /= (uint64_t)drawn[i];
    }
}

void random_long_sizes(random_source *r, unsigned n, uint64_t count, int64_t *sizes)
{
    const uint64_t room = (UINT64_C(1) << 18) / count, most = room > 64 ? 64 : room > 3 ? room : 3;
    const unsigned at = random_chance(r, 35) ? n - 1 : (unsigned)random_below(r, n);
    if (count > UINT64_C(1) << 22) { /* as it is: it is large on purpose */
        random_sizes(r, n, 1, 1, sizes);
        sizes[at] = (int64_t)count;
        return;
    }
    random_sizes(r, n, most, most, sizes);
    sizes[at] = (int64_t)count;
}

/* The order of dimensions in memory, outermost first: of a tensor with these strides. */
static void order_of(unsigned n, const int64_t *strides, unsigned *order)
{
    for (unsigned i = 0; i < n; ++i) {
        unsigned k = i;
        for (; k > 0 && strides[order[k - 1]] < strides[i]; --k)
            order[k] = order[k - 1];
        order[k] = i;
    }
}

/* The order of dimensions in memory, outermost first. That of another tensor may have two of them exchanged. */
static void memory_order(random_source *r, unsigned n, const int64_t *like, unsigned *order)
{
    for (unsigned i = 0; i < n; ++i)
        order[i] = i;
    const uint64_t kind = random_below(r, 100);
    if (like && kind < 50) {
        order_of(n, like, order);
        if (n > 1 && kind < 20) {
            const unsigned a = (unsigned)random_below(r, n - 1), kept = order[a];
            order[a] = order[a + 1];
            order[a + 1] = kept;
        }
        return;
    }
    if (kind < 40)
        random_permutation(r, n, order);
    else if (kind < 50)
        for (unsigned i = 0; i < n; ++i)
            order[i] = n - 1 - i;
    else if (kind < 60 && n > 1) { /* the last two change places */
        order[n - 2] = n - 1;
        order[n - 1] = n - 2;
    }
}

static int64_t round_up(int64_t value, int64_t unit)
{
    return unit > 1 ? (value + unit - 1) / unit * unit : value;
}

/* The elements between the first and the last, both included. False beyond the limit. */
static bool span_fits(unsigned n, const int64_t *sizes, const int64_t *strides, uint64_t most)
{
    uint64_t span = 1;
    for (unsigned i = 0; i < n; ++i) {
        if (sizes[i] <= 1 || strides[i] == 0)
            continue;
        if ((uint64_t)(sizes[i] - 1) > (most - span) / (uint64_t)strides[i])
            return false;
        span += (uint64_t)(sizes[i] - 1) * (uint64_t)strides[i];
    }
    return true;
}

/* The stride around a dimension, capped far beyond every limit. */
static int64_t around(int64_t stride, int64_t size)
{
    const int64_t most = INT64_MAX >> 24;
    size = size > 0 ? size : 1;
    return stride > most / size ? most : stride * size;
}

static int64_t aliased_unit(int64_t unit)
{
    return unit ? unit : 1;
}

/* Place the dimensions one around the other, with gaps if `loose`. */
static void nest(random_source *r, unsigned n, const int64_t *sizes, const random_layout *l, bool loose,
                 uint32_t broadcast, int64_t *strides)
{
    static const uint32_t pitches[] = { 16, 32, 64, 128, 256, 512, 1024, 4096, 65536 };
    unsigned order[MAX_DIMS], nested = 0;
    memory_order(r, n, l->like, order);
    const bool pitched = loose && random_chance(r, 25), gaps = loose && random_chance(r, 40);
    const int64_t unit = pitches[random_below(r, sizeof pitches / sizeof *pitches)] / (int64_t)l->bytes;
    /* strides that are equal in their low bits: 4 to 16 of them */
    const int64_t aliased = loose && random_chance(r, 3) ? INT64_C(16) << random_below(r, 13) : 0;
    int64_t next = gaps && random_chance(r, 40) ? 2 + (int64_t)random_below(r, 3) : 1, low = 0;
    for (unsigned i = n; i-- > 0;) {
        const unsigned d = order[i];
        if (broadcast >> d & 1) {
            strides[d] = 0;
            continue;
        }
        if (nested++ == 1 && pitched)
            next = round_up(next, unit);
        if (loose && n > 0 && random_chance(r, 4)) { /* a stride that equals some size */
            const int64_t size = sizes[random_below(r, n)];
            next = size > next ? size : next;
        }
        if (aliased && nested > 1)
            next = nested == 2 ? next : round_up(next - low, aliased) + low;
        low = nested == 2 ? next % aliased_unit(aliased) : low;
        strides[d] = next;
        next = around(next, sizes[d]);
        if (gaps && random_chance(r, 50))
            next += random_about(r, 1, 9);
    }
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Let two dimensions interleave without sharing an address: with coprime strides p and q, i p + j q are distinct where
   i < q. The others lie around them. False if there are no two such dimensions. */
static bool interleave(random_source *r, unsigned n, const int64_t *sizes, int64_t *strides)
{
    unsigned order[MAX_DIMS], i = 0;
    random_permutation(r, n, order);
    while (i + 1 < n && (sizes[order[i]] < 2 || sizes[order[i + 1]] < 2))
        ++i;
    if (i + 1 >= n || sizes[order[i]] > 64 || sizes[order[i + 1]] > 4096)
        return false;
    const unsigned a = order[i], b = order[i + 1];
    const int64_t q = sizes[a] + (int64_t)random_below(r, 3);
    int64_t p = 1 + (int64_t)random_below(r, 2 * (uint64_t)q);
    while (common_divisor(p, q) != 1)
        ++p;
    strides[a] = p;
    strides[b] = q;
    int64_t next = (sizes[a] - 1) * p + (sizes[b] - 1) * q + 1;
    for (unsigned k = n; k-- > 0;)
        if (k != a && k != b) {
            strides[k] = next;
            next = around(next, sizes[k]);
        }
    return true;
}

/* Do these strides give each coordinate an address of its own, one dimension around the other? */
static bool nests(unsigned n, const int64_t *sizes, const int64_t *strides)
{
    unsigned order[MAX_DIMS];
    int64_t span = 1;
    order_of(n, strides, order);
    for (unsigned i = n; i-- > 0;) {
        const unsigned d = order[i];
        if (sizes[d] <= 1)
            continue;
        if (strides[d] < span)
            return false;
        span += around(strides[d], sizes[d] - 1);
    }
    return true;
}

/* The strides of the other tensor, where they are legal. */
static bool repeat(random_source *r, unsigned n, const int64_t *sizes, const random_layout *l, int64_t *strides)
{
    if (!l->like || !random_chance(r, 15) || !span_fits(n, sizes, l->like, l->most_span) ||
        !(l->shares || nests(n, sizes, l->like)))
        return false;
    for (unsigned d = 0; d < n; ++d)
        strides[d] = l->like[d];
    return true;
}

void random_strides(random_source *r, unsigned n, const int64_t *sizes, const random_layout *l, int64_t *strides)
{
    if (repeat(r, n, sizes, l, strides))
        return;
    const uint64_t kind = random_below(r, 100);
    uint32_t broadcast = 0;
    if (l->shares && kind < 30)
        for (unsigned d = 0; d < n; ++d)
            broadcast |= (uint32_t)random_chance(r, 40) << d;
    const bool interleaved = (l->interleaves || kind >= 92) && interleave(r, n, sizes, strides) &&
                             span_fits(n, sizes, strides, l->most_span);
    for (bool loose = kind < 80; !interleaved; loose = false) {
        nest(r, n, sizes, l, loose, broadcast, strides);
        if (!loose || span_fits(n, sizes, strides, l->most_span))
            break;
    }
    if (l->shares && kind >= 88 && kind < 92) /* windows that overlap */
        for (unsigned d = 0; d < n; ++d)
            strides[d] = strides[d] > 1 ? 1 + (int64_t)random_below(r, (uint64_t)strides[d]) : strides[d];
    for (unsigned d = 0; d < n; ++d) {
        if (sizes[d] == 1 && l->most_stride > 0 && random_chance(r, 30))
            strides[d] = random_about(r, 0, l->most_stride);
        if (sizes[d] <= 1 && l->most_stride > 0 && strides[d] > l->most_stride) /* around a span of 2^32 - 1 */
            strides[d] = l->most_stride;
    }
}
