/* SPDX-License-Identifier: Apache-2.0 */
/* The verbs of the command line, each in a file cmd_VERB.c. argv[0] is the verb; a verb returns the exit status. */
#ifndef TOUCHSTONE_COMMAND_H
#define TOUCHSTONE_COMMAND_H

#include "harness/base/error.h"

#include <stdio.h>

int cmd_run(int argc, char **argv);
int cmd_resume(int argc, char **argv);
int cmd_merge(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_plan(int argc, char **argv);
int cmd_show(int argc, char **argv);
int cmd_shrink(int argc, char **argv);
int cmd_export(int argc, char **argv);
int cmd_import(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_eval(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_ledger(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_waive(int argc, char **argv);
int cmd_status(int argc, char **argv);
int cmd_history(int argc, char **argv);
int cmd_backends(int argc, char **argv);
int cmd_probe(int argc, char **argv);
int cmd_lua(int argc, char **argv);
int cmd_audit(int argc, char **argv);
int cmd_help(int argc, char **argv);
int cmd_complete(int argc, char **argv);

/* Print "touchstone VERB: message" on standard error and return the error's exit status. */
int command_fail(const char *verb, const error *e);

/* Print "touchstone VERB: message" and a hint to --help on standard error, and return EXIT_BAD_USAGE. Without a verb
   (NULL) it is "touchstone: message". */
int command_usage(const char *verb, const char *format, ...) ERROR_PRINTF(2, 3);

/* Print help, whose last line ends, on standard output; headings ("Examples:") stand out on a terminal. Returns
   EXIT_CONFORMANT. */
int command_help(const char *page);
void command_print_help(FILE *to, const char *page);

/* From now on, command_help appends to the text (harness/base/text.h) instead of printing. NULL: it prints again. */
struct text;
void command_keep_help(struct text *to);

/* Print the list of verbs, topics and options of the program. False: memory is out. */
bool command_overview(FILE *to);

/* Copy a temporary file from its start to standard output and flush: for verbs that print nothing until they have
   succeeded. */
bool command_copy_out(FILE *from, error *e);

#endif
