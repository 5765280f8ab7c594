/* SPDX-License-Identifier: Apache-2.0 */
/* What a program is told about an operator, so that it needs no header of it. */
#ifndef TOUCHSTONE_EXEC_DESCRIBE_H
#define TOUCHSTONE_EXEC_DESCRIBE_H

#include <stdbool.h>
#include <stddef.h>

/* Write the text about an operator to buf: a line for each tensor, "input NAME" or "output NAME", with "optional"
   behind it, and for each attribute, "attribute NAME TYPE COUNT OFFSET" (docs/exec.md). "" for an operator that the
   suite does not know. Returns the length, without what does not fit into `size` bytes. */
size_t describe_operator(const char *op, char *buf, size_t size);

/* Write the names of all operators to buf, a line for each: its name and those of its clauses, separated by spaces. The
   clauses that all operators of a specification share have a line that begins with its prefix: "dml". False if they do
   not fit into `size` bytes: a part of them would deny the rest. */
bool describe_names(char *buf, size_t size);

#endif
