/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/kernels/copy.h"
#include "audit/kernels/grid.h"
#include "audit/kernels/lanes.h"
#include "audit/kernels/rows.h"
#include "audit/kernels/scratch.h"
#include "audit/kernels/walk.h"

enum {
    SHORT_ROW = 8,     /* a row of fewer elements is not worth a row kernel */
    SEAM_ROWS = 16,    /* from so many rows on, two threads */
    SEAM_BYTES = 4096, /* and from so many bytes of a block */
    CACHE_LINE = 64    /* threads do not share one */
};

/* ---- choosing ------------------------------------------------------------------------------------------------ */

/* The loop whose source is contiguous, if it makes a matrix with the innermost loop that fills a tile of 8 x 8. */
static uint32_t transposed_loop(const nest *n)
{
    const uint32_t inner = n->rank - 1;
    const int64_t bytes = n->bytes;
    uint32_t k = 0;
    if (n->loops[inner].to != bytes || n->loops[inner].size < SHORT_ROW)
        return inner;
    while (k < inner && (n->loops[k].from != bytes || n->loops[k].size < SHORT_ROW))
        ++k;
    return k;
}

static void make_tiles(copy_plan *p, uint32_t line)
{
    const uint32_t inner = p->nest.rank - 1;
    const loop *rows = &p->nest.loops[line];
    const loop *columns = &p->nest.loops[inner];
    p->path = COPY_TILES;
    p->tiles = (tiling){ p->nest.bytes, rows->size, columns->size, rows->to, columns->from };
    p->outer = p->nest;
    nest_remove(&p->outer, inner);
    nest_remove(&p->outer, line);
}

/* Pack the loops that move the source; the broadcast ones read them again. False if there is none, or too much. */
static bool make_packed(copy_plan *p)
{
    const nest *n = &p->nest;
    nest_begin(&p->pack, n->bytes);
    nest_begin(&p->unpack, n->bytes);
    int64_t step = n->bytes;
    for (uint32_t k = n->rank; k-- > 0;) {
        const loop *l = &n->loops[k];
        p->unpack.loops[k] = (loop){ l->size, l->to, l->from == 0 ? 0 : step };
        p->pack.loops[k] = (loop){ l->from == 0 ? 1 : l->size, step, l->from };
        if (l->from == 0)
            continue;
        if (l->size > SCRATCH_BYTES / (uint64_t)step)
            return false;
        step *= (int64_t)l->size;
    }
    p->unpack.rank = n->rank;
    p->pack.rank = n->rank;
    for (uint32_t k = n->rank; k-- > 0;)
        if (p->pack.loops[k].size == 1)
            nest_remove(&p->pack, k);
    if (p->pack.rank == n->rank)
        return false;
    nest_merge(&p->unpack);
    nest_merge(&p->pack);
    return true;
}

static void make_grid(copy_plan *p)
{
    const nest *n = &p->nest;
    if (n->rank <= 3) {
        p->path = COPY_BOX;
    } else if (nest_fits_32(n)) {
        p->path = COPY_FLAT;
        for (uint32_t k = 0; k < n->rank; ++k)
            p->divisors[k] = divisor_of((uint32_t)n->loops[k].size);
    } else {
        p->path = COPY_FLAT_WIDE;
    }
}

void copy_plan_make(copy_plan *p, const nest *n)
{
    p->nest = *n;
    nest_collapse(&p->nest);
    if (p->nest.rank == 0) {
        p->path = COPY_ELEMENT;
        return;
    }
    const uint32_t last = p->nest.rank - 1;
    const loop *inner = &p->nest.loops[last];
    const int64_t bytes = p->nest.bytes;
    const bool near = inner->from == 0 || inner->from == bytes || inner->from == -bytes;
    const uint32_t line = transposed_loop(&p->nest);
    if (last == 0 && inner->to == bytes && inner->from == bytes)
        p->path = COPY_BLOCK;
    else if (line < last)
        make_tiles(p, line);
    else if (!near && inner->to == bytes && make_packed(p))
        p->path = COPY_PACKED;
    else if (inner->size < SHORT_ROW || (inner->to != bytes && !near))
        make_grid(p);
    else
        p->path = COPY_ROWS;
}

/* ---- running ------------------------------------------------------------------------------------------------- */

static void rows_between(const nest *n, unsigned char *to, const unsigned char *from, uint64_t first, uint64_t end)
{
    const loop *inner = &n->loops[n->rank - 1];
    walk w;
    walk_begin(&w, n, n->rank - 1, first);
    for (uint64_t row = first; row < end; ++row) {
        row_any(to + w.to, inner->to, from + w.from, inner->from, n->bytes, inner->size);
        walk_next(&w);
    }
}

void copy_rows(const nest *n, unsigned char *to, const unsigned char *from)
{
    const uint64_t rows = nest_count(n, n->rank - 1);
    const uint64_t seam = rows < SEAM_ROWS ? rows : rows / 2;
    rows_between(n, to, from, 0, seam);
    rows_between(n, to, from, seam, rows);
}

void copy_block(unsigned char *to, const unsigned char *from, uint64_t bytes)
{
    const uint64_t seam = bytes < SEAM_BYTES ? bytes : bytes / 2 / CACHE_LINE * CACHE_LINE;
    row_copy(to, from, (size_t)seam);
    row_copy(to + seam, from + seam, (size_t)(bytes - seam));
}

static void run_tiles(const copy_plan *p, unsigned char *to, const unsigned char *from)
{
    const uint64_t matrices = nest_count(&p->outer, p->outer.rank);
    walk w;
    walk_begin(&w, &p->outer, p->outer.rank, 0);
    for (uint64_t i = 0; i < matrices; ++i) {
        tiles_transpose(&p->tiles, to + w.to, from + w.from);
        walk_next(&w);
    }
}

static void run_packed(const copy_plan *p, unsigned char *to, const unsigned char *from)
{
    copy_rows(&p->pack, scratch_bytes(), from);
    copy_rows(&p->unpack, to, scratch_bytes());
}

void copy_plan_run(const copy_plan *p, unsigned char *to, const unsigned char *from)
{
    switch (p->path) {
    case COPY_ELEMENT: lane_copy(to, from, p->nest.bytes); break;
    case COPY_BLOCK: copy_block(to, from, p->nest.loops[0].size * p->nest.bytes); break;
    case COPY_ROWS: copy_rows(&p->nest, to, from); break;
    case COPY_TILES: run_tiles(p, to, from); break;
    case COPY_PACKED: run_packed(p, to, from); break;
    case COPY_BOX: grid_box(&p->nest, to, from); break;
    case COPY_FLAT: grid_flat(&p->nest, p->divisors, to, from); break;
    default: grid_flat_wide(&p->nest, to, from); break;
    }
}
