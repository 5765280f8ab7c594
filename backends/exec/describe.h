/* SPDX-License-Identifier: Apache-2.0 */
/* What a program is told about an operator, so that it needs no header of it. */
#ifndef TOUCHSTONE_EXEC_DESCRIBE_H
#define TOUCHSTONE_EXEC_DESCRIBE_H

#include <stddef.h>

/* Write the text about an operator to buf: a line for each tensor, "input NAME" or "output NAME", with "optional"
   behind it, and for each attribute, "attribute NAME TYPE COUNT OFFSET" (docs/exec.md). "" for an operator that the
   suite does not know. Returns the length, without what does not fit into `size` bytes. */
size_t describe_operator(const char *op, char *buf, size_t size);

#endif
