/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults that measure the cases: they were made when the cases stood, without looking at them, and no case is written
 * for them. README.md says what the suite finds of them.
 */
#ifndef TOUCHSTONE_PLANTED_H
#define TOUCHSTONE_PLANTED_H

#include "backends/faulty/fault_path.h"

/* Kernels that a library could have. */
extern const fault_table planted_invented; /* tails, tiles, grids */
extern const fault_table planted_layouts;  /* divisions, layouts */
extern const fault_table planted_numbers;  /* magnitudes, patterns, counts */
extern const fault_table planted_random;   /* the generator */
extern const fault_table planted_history;  /* earlier calls */
extern const fault_table planted_judged;   /* acceptance, refusal */
extern const fault_table planted_values;   /* bits of an element */

/* Replicas of faults that were reported against libraries: REPORTED.md. */
extern const fault_table planted_reported_layouts; /* strides, pitches, broadcasts, alignment */
extern const fault_table planted_reported_tiles;   /* tiles, grids, tails, divisions */
extern const fault_table planted_reported_random;  /* the generator */
extern const fault_table planted_reported_gather;  /* indices */
extern const fault_table planted_reported_slices;  /* windows and steps */
extern const fault_table planted_reported_judged;  /* acceptance, refusal, values */
extern const fault_table planted_reported_history; /* plans of earlier calls */

/* The second set, made when the cases had been changed for what the first one showed. */
extern const fault_table planted_second_paths;            /* tails, tiles, grids */
extern const fault_table planted_second_layouts;          /* divisions, layouts, magnitudes */
extern const fault_table planted_second_counts;           /* patterns, counts, updates, values */
extern const fault_table planted_second_random;           /* the generator */
extern const fault_table planted_second_history;          /* earlier calls */
extern const fault_table planted_second_judged;           /* acceptance, refusal, reported values */
extern const fault_table planted_second_reported_copies;  /* reported: copies */
extern const fault_table planted_second_reported_slices;  /* reported: windows and steps */
extern const fault_table planted_second_reported_indices; /* reported: indices and updates */

/* The third set, of operators that the others leave out. */
extern const fault_table planted_third_joins;    /* JOIN */
extern const fault_table planted_third_sums;     /* CUMULATIVE_SUMMATION */
extern const fault_table planted_third_blocks;   /* SPACE_TO_DEPTH1 */
extern const fault_table planted_third_gathers;  /* Gather of OpenVINO; indices of 16 bits */
extern const fault_table planted_third_elements; /* gathers of elements */
extern const fault_table planted_third_tuples;   /* gathers by tuples */
extern const fault_table planted_third_scatters; /* scatters, invented */
extern const fault_table planted_third_updates;  /* scatters, reported */
extern const fault_table planted_third_trees;    /* GatherTree */
extern const fault_table planted_third_zeros;    /* NonZero */
extern const fault_table planted_third_judged;   /* acceptance, refusal */

#endif
