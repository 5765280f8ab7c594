/* SPDX-License-Identifier: Apache-2.0 */
/* The attributes of DML_SPACE_TO_DEPTH1_OPERATOR_DESC have moved to the header of their family. */
#include "reference/dml/blocks.h"
