/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptors of this process that a new worker closes: what they hold is not to outlive this process in its workers.
 */
#ifndef TOUCHSTONE_PLATFORM_POSIX_H
#define TOUCHSTONE_PLATFORM_POSIX_H

#include <stdbool.h>

/* False where memory is out. */
bool platform_hold(int fd);

/* And close it here. */
void platform_let_go(int fd);

#endif
