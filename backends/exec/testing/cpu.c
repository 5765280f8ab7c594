/* SPDX-License-Identifier: Apache-2.0 */
/* The cpu backend as a program: what a library computes, a program computes too. */
#include "backends/exec/touchstone_exec.h"

int main(void)
{
    return touchstone_exec(touchstone_backend(TS_BACKEND_ABI));
}
