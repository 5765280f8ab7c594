/* SPDX-License-Identifier: Apache-2.0 */
/* A finding: the description of one case that did not pass. */
#ifndef TOUCHSTONE_STORE_FINDING_H
#define TOUCHSTONE_STORE_FINDING_H

#include "harness/base/verdict.h"
#include "harness/base/wire.h"

/* What a finding depends on where the case passes alone in a new process, and nothing else is known. */
#define STORE_DEPENDS_UNKNOWN "unknown"

/* Strings are NULL where there is no value. */
typedef struct store_finding {
    int64_t id; /* set by the store */
    int64_t test;
    uint64_t index;      /* of the case */
    const char *case_id; /* "dml.slice1:exhaustive:dtype=f16,size=4.1" */
    verdict verdict;
    const char *clause; /* that the backend violates: "SL-10" */
    const char *dtype;  /* of the case, id */
    const char *level;
    const char *tensor;     /* that has the first difference: "OutputTensor" */
    const char *element;    /* its coordinates there: "[1,0,2]" */
    const char *expected;   /* bits and value: "0x40400000 (3)" */
    const char *actual;     /* the same of the backend's output */
    const char *source;     /* the input element that the backend read: "InputTensor[0,2]"; or why it is unknown */
    uint64_t differing;     /* elements that differ */
    const char *detail;     /* one or two sentences for the engineer who looks for the cause */
    const char *descriptor; /* JSON: operator, descriptor in the specification's field names */
    const char *tensors;    /* JSON array, small tensors only: {"name","role","dtype","sizes","values":[text...]}, and
                               for outputs "expected":[text...]; null elements: unspecified, a list: one of several
                               values; where it is known from which single input element the first difference should
                               come, "expected_source" */
    const char *reproducer; /* a command line */
    const char *rate;       /* "3 of 20": it failed in so many executions; NULL: in each, or executed once */
    const char *depends;    /* ids, separated by blanks: it fails only after these cases; STORE_DEPENDS_UNKNOWN */
    const char *matters;    /* the parameters that matter: "dtype=f16 and out_layout=gaps"; NULL: unknown */
    const char *shrunk; /* the id of the smallest case found that fails in the same way; NULL: it was not looked for */
    const char *shrunk_facts; /* JSON about that case: shrunk_facts.h */
    const char *printed;      /* the last lines that the backend printed in the case, as visible text; NULL: none */
    const char *class;   /* that the backend could not be asked about, as a line of support.h; NULL: it could */
    uint64_t stands_for; /* then: so many cases of the class in the test, this one among them; else 0 */
    bool other_data;     /* the case passes with its own data, as cases close to it do; it fails with other data */
} store_finding;

/* Free the strings, of a finding that owns them, and zero it. */
void store_finding_clear(store_finding *f);

/* Write a finding to a message, and read it into *f, which then owns its strings. False where the message is broken or
   memory is out; *f is to be cleared in either case. */
void store_finding_encode(const store_finding *f, wire *w);
bool store_finding_decode(store_finding *f, wire *w);

#endif
