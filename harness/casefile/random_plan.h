/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sizes and layouts that kernels of libraries have paths for: a matrix that is transposed in tiles, rows with a pitch,
 * many more rows or matrices than a dimension of a dispatch has, each in dimensions that cannot be merged into one. A
 * plan says how the dimensions of a tensor lie in memory, whatever their sizes are.
 */
#ifndef TOUCHSTONE_RANDOM_PLAN_H
#define TOUCHSTONE_RANDOM_PLAN_H

#include "harness/casefile/random.h"

/* Sizes of n > 0 dimensions, of which two to four (one if n is 1) are more than 1: the last two of these are the sides
   of a matrix that fills some tiles, multiples of 4 to 64 and their neighbours, or a few elements. At most 5,000
   elements in all. */
void random_tiles(random_source *r, unsigned n, int64_t *sizes);

/* Sizes of n > 0 dimensions of which one, in any place, is `count`, or two are a plane of `count` elements or a few
   more; up to three others are 2 to 7, their product at most 8. Beyond 2^22, the count is that of all elements. count
   is at least 65535. */
void random_grid(random_source *r, unsigned n, uint64_t count, int64_t *sizes);

/* Sizes of n > 0 dimensions of which three (all, if n is less) are longer than a tile of 16 or of 32 elements, and in
   some cases one in front of them is 2 or 3: at most 192,000 elements in all. */
void random_cube(random_source *r, unsigned n, int64_t *sizes);

/* A plan, which is not 0. */
uint64_t random_plan(random_source *r);

/* A plan of tensors in which the third-last of the dimensions of more than one element has the unit stride. */
uint64_t random_third_plan(random_source *r);

/* Strides of these sizes by a plan: the order of the dimensions of more than one element and the gaps behind rows and
   planes. Plans with an equal `plan` and another `variant` differ in the gaps of the planes alone. The gaps are left
   out where the tensor would span more than l->most_span elements. A plan that repeats a dimension does so where
   l->shares. */
void random_planned(uint64_t plan, unsigned variant, unsigned n, const int64_t *sizes, const random_layout *l,
                    int64_t *strides);

#endif
