/* SPDX-License-Identifier: Apache-2.0 */
/* What writing and reading WebNN's tests have in common: the names of types. */
#ifndef TOUCHSTONE_WEBNN_H
#define TOUCHSTONE_WEBNN_H

#include <stdint.h>

/* WebNN's name of a type, "float32"; NULL where it has none. */
const char *webnn_type_name(uint32_t dtype);

/* The type of such a name; TS_DTYPE_UNKNOWN where there is none, as for "int4". */
uint32_t webnn_type_named(const char *name);

#endif
