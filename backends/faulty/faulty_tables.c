/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of the backend `faulty`. */
#include "backends/faulty/fault.h"

const fault_table *const fault_tables[] = {
    &fault_values,    &fault_memory,  &fault_layout,     &fault_gather,   &fault_tuple,
    &fault_scatter,   &fault_random,  &fault_offset,     &fault_cache,    &fault_order,
    &fault_judgment,  &fault_process, &fault_tails,      &fault_tiles,    &fault_grids,
    &fault_divisions, &fault_strides, &fault_magnitudes, &fault_patterns, &fault_counts,
    &fault_refused,   &fault_checked, &fault_blocks,     &fault_sums,     &fault_non_zero,
};
const size_t fault_table_count = sizeof fault_tables / sizeof *fault_tables;
const char fault_backend[] = "faulty";
const bool fault_of_kinds = true;
