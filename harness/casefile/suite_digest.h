/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Digests of what decides verdicts: of each operator (its declaration and reference, its case file with the file that
 * its folder shares, its lines of tier quick's list, and the parts of the harness that fill inputs and judge outputs),
 * and of a suite, which is several operators. They are independent of backends and queries, and of comments,
 * indentation and white space at line ends. Verdicts of two runs on an operator can be compared if their digests of
 * that operator are the same, whatever other operators there are.
 */
#ifndef TOUCHSTONE_SUITE_DIGEST_H
#define TOUCHSTONE_SUITE_DIGEST_H

#include "harness/base/error.h"
#include "harness/casefile/quick.h"

#define SUITE_DIGEST_SIZE 33 /* 32 hexadecimal digits and the NUL */

/* Compute the digest of an operator whose case file is at `path`. sources: NULL, or for the same without its lines of
   tier quick's list. An error if a file cannot be read. */
bool suite_operator_digest(const ts_operator *op, const char *path, const quick_cases *quick,
                           char digest[SUITE_DIGEST_SIZE], char sources[SUITE_DIGEST_SIZE], error *e);

/* The same of an operator that is only checked, and has no case file. */
void suite_checked_digest(const ts_operator *op, char digest[SUITE_DIGEST_SIZE]);

/* The same of an operator by its name, wherever its case file is. *known: false if there is no such operator, with no
   digest. */
bool suite_digest_of(const char *op, const quick_cases *quick, bool *known, char digest[SUITE_DIGEST_SIZE], error *e);

/* Combine the digests of several operators, in order of their names. seed: of the drawn cases; 0 if there are none. */
void suite_digest(size_t count, const char *const *ops, char (*digests)[SUITE_DIGEST_SIZE], uint64_t seed,
                  char digest[SUITE_DIGEST_SIZE]);

#endif
