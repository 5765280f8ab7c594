/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/faulty/fault.h"

#include <windows.h>

void fault_hang_deaf(void)
{
    for (;;)
        Sleep(INFINITE);
}
