/* SPDX-License-Identifier: Apache-2.0 */
/* The digest of the suite: which operators, references and case files decided a run's verdicts. */
#ifndef TOUCHSTONE_SUITE_DIGEST_H
#define TOUCHSTONE_SUITE_DIGEST_H

#include "harness/base/error.h"
#include "harness/casefile/quick.h"

#define SUITE_DIGEST_SIZE 33 /* 32 hexadecimal digits and the NUL */

/* Compute the digest of the operators, their references, all case files and tier quick's list. It is independent of
   backends and queries, and of comments, indentation and white space at line ends. An error if a case file cannot be
   read. */
bool suite_digest(const quick_cases *quick, char digest[SUITE_DIGEST_SIZE], error *e);

#endif
