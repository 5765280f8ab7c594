/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/planted/planted.h"

static const fault rows[] = {
    { "invented-none", ON_ALL, MEANING, "no fault yet", NULL, NULL, NULL, NULL, NULL },
};
const fault_table planted_invented = { rows, 0 };
