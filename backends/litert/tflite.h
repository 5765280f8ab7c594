/* SPDX-License-Identifier: Apache-2.0 */
/* Write a model of one node in the format .tflite, a FlatBuffer. */
#ifndef TOUCHSTONE_LITERT_TFLITE_H
#define TOUCHSTONE_LITERT_TFLITE_H

#include "backends/litert/node.h"

#include <stddef.h>

#define TFLITE_ROOM 8192 /* bytes that every model fits in */

/* Write the model of a node to `bytes`, which are aligned to 16 and have TFLITE_ROOM, and return its size. The inputs
   of the model are those of the node at run time; its lists are constants. */
size_t tflite_write(const node *n, uint8_t *bytes);

#endif
