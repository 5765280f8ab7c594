/* SPDX-License-Identifier: Apache-2.0 */
/* The pages of 'touchstone help TOPIC'. Their examples are run by a test, as those of the verbs are. */
#include "harness/cli/verbs.h"

static const char *const queries[] = {
    "Queries: which cases a verb means. run, list, plan, compare and lists of waivers take them.\n"
    "\n"
    "  OPERATOR[:TEST[:PARAMETERS]][ where PREDICATE]\n"
    "\n"
    "  OPERATOR, TEST  a name; * stands for any part of it: dml.*, dml.slice1:invalid-*\n"
    "  PARAMETERS      those of a case id name one case; with ,* at the end, such as dtype=f16,*, the other\n"
    "                  parameters may have any value\n"
    "  PREDICATE       an expression over the parameters, which selects the cases that fulfil it\n"
    "\n"
    "Several queries select what any of them selects. A test that a query names without * is selected completely,\n"
    "whatever the tier ('touchstone help tiers').\n"
    "\n",
    "A predicate has integers, names of values (f16), + - * // %, == ~= < <= > >=, and, or, not, in {u8, i8},\n"
    "not in {...}, and v[k] for element k of a vector, from 1. A comparison of a vector says which elements it\n"
    "means:\n"
    "\n"
    "  each(stride < 0)   every stride is negative\n"
    "  any(stride < 0)    at least one is\n"
    "  count(size == 1)   for how many elements it holds\n"
    "\n"
    "Other functions: min, max, sum, product and len of a vector; abs, min and max of elements; pick(c, x, y),\n"
    "which is x where c holds and else y; eq, ne, lt, le, gt and ge, which are 1 or 0 for each element.\n"
    "\n"
    "Examples:\n"
    "  touchstone list\n"
    "  touchstone list --count 'dml.*:examples'\n"
    "  touchstone list --axes dml.slice1:special\n"
    "  touchstone list 'dml.slice1:special where dtype in {u8, i8} and any(stride < 0)'\n",
    NULL,
};

static const char *const tiers[] = {
    "Tiers: how many cases a run has. 'touchstone plan' counts them and estimates the time.\n"
    "\n"
    "  quick       for every change; some 75,000 cases, in seconds. It has all examples of the specifications, the\n"
    "              cases that find the most faults ('touchstone audit' chose them), drawn cases of each operator,\n"
    "              and the known failures of vendors. run, list and compare use it by default\n"
    "  full        for a night or a release; some 18 million cases: every combination where tensors are small,\n"
    "              drawn cases where they are large\n"
    "  exhaustive  for several machines or many nights; some 470 million cases. With 'run --budget', drawn tests\n"
    "              never end\n"
    "\n"
    "A query that names a test in full, or a case, selects all of it whatever the tier. So an id from any tier\n"
    "repeats its case. A drawn test has as many cases as the tier draws, also where a query names it.\n"
    "\n"
    "Examples:\n"
    "  touchstone plan 'dml.gather:*'\n"
    "  touchstone run -b cpu --tier quick 'dml.gather:*'\n",
    NULL,
};

static const char *const verdicts[] = {
    "Verdicts: what a case came to. Each case ends with one.\n"
    "\n"
    "  pass              the outputs agree bit for bit; or an illegal descriptor was refused\n"
    "\n"
    "These are failures:\n"
    "\n"
    "  mismatch          an element, or the shape of an output, differs\n"
    "  rejected-valid    the backend refused a legal descriptor\n"
    "  accepted-invalid  the backend accepted an illegal descriptor\n"
    "  wrote-outside     it wrote to memory outside of its outputs\n"
    "  read-outside      it read memory outside of its inputs\n"
    "  modified-input    it changed an input\n"
    "  nondeterministic  the same case had different results\n"
    "  crash             the process with the backend ended, or exceeded the memory limit\n"
    "  hang              a call of the backend exceeded the time limit\n"
    "  lost              the device was lost, or the backend returned an error\n"
    "\n",
    "These are neither success nor failure:\n"
    "\n"
    "  not-judged        the specification does not determine the results of the data type to the bit: all but the\n"
    "                    values of the outputs is judged, and nothing of it failed\n"
    "  ambiguous         the specification leaves the case open ('touchstone ledger' says where): the answer\n"
    "                    is recorded, and never judged\n"
    "  waived            a failure that a waiver covers ('touchstone help waive')\n"
    "  unsupported       the backend cannot express the case\n"
    "\n"
    "'touchstone run' ends with exit status 0 if all planned cases ran and none failed, 1 if one failed, and 2 if\n"
    "not all of them ran.\n"
    "\n"
    "Examples:\n"
    "  touchstone run -b faulty --backend-opt fault=reverse-start dml.slice1:examples\n"
    "  touchstone ledger E-SS-6\n",
    NULL,
};

static const char *const ids[] = {
    "Ids: the names of cases. An id contains all that is needed to repeat its case: run, show, explain, shrink and\n"
    "export take it as it is printed.\n"
    "\n"
    "  dml.slice1:exhaustive:dtype=f16,size=3.3.3.2\n"
    "  operator   test       parameters\n"
    "\n"
    "An id lists the parameters that differ from their defaults; . joins the elements of a vector. If all have\n"
    "their defaults, it ends in a word: dml.slice1:exhaustive:default. Without parameters, dml.slice1:exhaustive is\n"
    "no id: it means all cases of the test ('touchstone help queries').\n"
    "\n"
    "Ids are stable: a new parameter has a default, so that older ids keep their meaning.\n"
    "'touchstone list --axes OPERATOR:TEST' lists the parameters of a test, what they are, and their values.\n"
    "\n"
    "Examples:\n"
    "  touchstone list 'dml.slice1:special where dtype == f16'\n"
    "  touchstone show dml.slice1:examples:example=2\n"
    "  touchstone explain dml.slice1:exhaustive:default\n",
    NULL,
};

static const help_topic topics[] = {
    { "queries", "select cases", queries },
    { "tiers", "how many cases a run has", tiers },
    { "verdicts", "what a case comes to", verdicts },
    { "ids", "the names of cases", ids },
};

const help_topic *help_topics_all(size_t *count)
{
    *count = sizeof topics / sizeof topics[0];
    return topics;
}
