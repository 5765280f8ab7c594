/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of the backend `planted`. */
#include "backends/planted/planted.h"

#include <stdlib.h>

const fault_table *const fault_tables[] = {
    &planted_invented,
    &planted_layouts,
    &planted_numbers,
    &planted_random,
    &planted_history,
    &planted_judged,
    &planted_values,
    &planted_reported_layouts,
    &planted_reported_tiles,
    &planted_reported_random,
    &planted_reported_gather,
    &planted_reported_slices,
    &planted_reported_judged,
    &planted_reported_history,
    &planted_second_paths,
    &planted_second_layouts,
    &planted_second_counts,
    &planted_second_random,
    &planted_second_history,
    &planted_second_judged,
    &planted_second_reported_copies,
    &planted_second_reported_slices,
    &planted_second_reported_indices,
    &planted_third_joins,
    &planted_third_sums,
    &planted_third_blocks,
    &planted_third_gathers,
    &planted_third_elements,
    &planted_third_tuples,
    &planted_third_scatters,
    &planted_third_updates,
    &planted_third_trees,
    &planted_third_zeros,
    &planted_third_judged,
};
const size_t fault_table_count = sizeof fault_tables / sizeof *fault_tables;
const char fault_backend[] = "planted";
const bool fault_of_kinds = false;

void fault_release(void *kept)
{
    free(kept);
}
