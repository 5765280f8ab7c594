/* SPDX-License-Identifier: Apache-2.0 */
/* For the tests of the checker: collect what it reports. */
#ifndef TOUCHSTONE_CHECK_TESTING_H
#define TOUCHSTONE_CHECK_TESTING_H

#include "harness/check/check_print.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* What the checker reports of one item: its status, the clauses in order without repetition, the levels at which it is
   valid. */
typedef struct seen_item {
    char name[64], clauses[256], levels[160], note[512], findings[512];
    evaluate_status status;
    bool known, judged, undecided;
    char broken[512];
    check_place place, first;   /* of the item, of its first violation */
    char legal[512], text[176]; /* of the first violation */
} seen_item;

static struct {
    seen_item list[16];
    size_t count;
    check_options options;
    error e;
} seen;

/* A check_visit that adds the item to `seen`. */
static inline bool see(void *context, const check_item *item, error *e)
{
    static ts_report report;
    seen_item *a = &seen.list[seen.count++];
    (void)context;
    (void)e;
    assert_true(seen.count <= 16);
    memset(a, 0, sizeof *a);
    snprintf(a->name, sizeof a->name, "%s", item->name ? item->name : "");
    strcpy(a->note, item->note);
    for (unsigned i = 0; i < item->finding_count; ++i)
        snprintf(a->findings + strlen(a->findings), sizeof a->findings - strlen(a->findings), "%s %s\n",
                 item->findings[i].rule, item->findings[i].text);
    a->known = item->known;
    a->judged = item->judged;
    a->undecided = item->undecided;
    snprintf(a->broken, sizeof a->broken, "%s", item->broken ? item->broken : "");
    a->place = item->place;
    if (!item->known)
        return true;
    check_judge_item(item, &seen.options, 0, &report);
    a->status = check_status(&report);
    for (unsigned i = 0; i < report.count; ++i) {
        if (strstr(a->clauses, report.items[i].clause) == NULL) {
            strcat(a->clauses, a->clauses[0] ? " " : "");
            strcat(a->clauses, report.items[i].clause);
        }
    }
    if (report.count > 0) {
        a->first = check_violation_place(item, &report.items[0]);
        strcpy(a->text, report.items[0].text);
        check_violation_legal(item, &report, &report.items[0], a->legal, sizeof a->legal);
    }
    size_t count;
    const ts_level *levels = tensor_levels(&count);
    for (size_t i = 0; i < count; ++i) {
        check_judge_item(item, &seen.options, levels[i], &report);
        if (check_status(&report) == EVALUATE_OK) {
            strcat(a->levels, a->levels[0] ? " " : "");
            strcat(a->levels, tensor_level_name(levels[i]));
        }
    }
    return true;
}

/* Visit the layers of an IR without a .bin file. */
static inline bool read_ir(const char *text)
{
    source_text t;
    seen.count = 0;
    assert_true(source_text_copy(&t, "test.xml", text, strlen(text), &seen.e));
    bool ok = check_read_ir(&t, NULL, &seen.options, see, NULL, &seen.e);
    source_text_free(&t);
    return ok;
}

/* Test setup: nothing seen, no options. */
static inline int reset(void **state)
{
    (void)state;
    memset(&seen, 0, sizeof seen);
    return 0;
}

/* A DxDispatch operator. */
#define SLICE(in, out, rest)                                                                                           \
    "{\"type\":\"DML_OPERATOR_SLICE1\",\"desc\":{\"InputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":" in              \
    "},\"OutputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":" out "}," rest "}}"
#define WINDOW(offset, size, stride)                                                                                   \
    "\"InputWindowOffsets\":" offset ",\"InputWindowSizes\":" size ",\"InputWindowStrides\":" stride

#endif
