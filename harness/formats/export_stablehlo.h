/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TOUCHSTONE_EXPORT_STABLEHLO_H
#define TOUCHSTONE_EXPORT_STABLEHLO_H

#include "harness/formats/export.h"

/*
 * A module of StableHLO in the text of MLIR, which checks itself: @main has the inputs and the expected output as
 * constants, calls @operation and compares with check.expect_eq, which compares bits.
 *
 *   slice     stablehlo.slice; of an axis with a negative step, stablehlo.reverse first
 *   gather    stablehlo.gather; a negative index, which it would clamp, is counted from the end before
 *   identity  stablehlo.reshape to the same shape
 */
export_writer export_stablehlo;

#endif
