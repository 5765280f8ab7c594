/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Facts of a case: numbers that queries can read and that follow from its descriptor as a whole. Of each tensor:
 *   T.Sizes, T.Strides  vectors
 *   T.Packed            1: row-major without gaps, dimensions of one element aside; else 0
 *   T.StridesGiven      1: the strides are given; 0: a null pointer
 *   T.Span              elements from the first to the last that the tensor addresses
 *   T.Extra             TotalTensorSizeInBytes beyond the least
 *   T.TotalTensorSizeInBytes
 * and of the copy that the operator is, as harness/model/loops.h describes it:
 *   Copy.Sizes, Copy.From, Copy.To  vectors: of its loops, outermost first; also Copy.Picks, of GATHER
 *   Copy.Loops          their number
 *   Copy.Row, Copy.Rows elements of the innermost loop, and how often it runs
 *   Copy.RowFrom, Copy.RowTo, Copy.PitchFrom, Copy.PitchTo
 *                       distances of two elements of the innermost loop, and of two rows of the next one, in elements
 *   Copy.Across         of a copy that transposes, the size of the loop that is adjacent where the innermost is not;
 *                       else 0
 *   Copy.Outer, Copy.OuterFrom, Copy.OuterTo
 *                       elements of the outermost loop, and the distance of two of them in the source and the output
 * A name that the descriptor does not determine, such as a size behind a null pointer, is 0 or has no elements.
 */
#ifndef TOUCHSTONE_CASEFILE_FACTS_H
#define TOUCHSTONE_CASEFILE_FACTS_H

#include "harness/casefile/casefile.h"

/* Let queries of a test read facts, after its bindings and aliases are known. */
bool case_facts_add(case_test *t, error *e);
void case_facts_free(struct case_facts *f);

#endif
