/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/ledger.h"
#include "harness/casefile/casefile.h"
#include "harness/testing/platform_testing.h"
#include "reference/operators.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* The next word of a list, or false. */
static bool next_word(const char **list, char word[64])
{
    *list += strspn(*list, " ");
    size_t length = strcspn(*list, " ");
    assert_true(length < 64);
    memcpy(word, *list, length);
    word[length] = 0;
    *list += length;
    return length > 0;
}

static void entries_are_complete(void **state)
{
    (void)state;
    size_t count;
    const ledger_entry *all = ledger_all(&count);
    char kinds[16];
    for (size_t i = 0; i < count; ++i) {
        const ledger_entry *entry = &all[i];
        const char *const texts[] = { entry->page, entry->quote, entry->problem, entry->decision };
        assert_ptr_equal(ledger_find(entry->id), entry); /* ids are unique */
        for (size_t k = 0; k < 4; ++k)
            assert_true(texts[k] && *texts[k]);
        assert_true(strlen(ledger_kinds(entry, kinds, sizeof kinds)) >= 1);
        for (size_t k = 0; k < LEDGER_ANSWERS && entry->answers[k].implementation; ++k)
            assert_true(entry->answers[k].answer && *entry->answers[k].answer);
    }
    assert_null(ledger_find("E-SL-0"));
}

static void kinds_are_spelled_as_in_the_errata(void **state)
{
    (void)state;
    char kinds[16];
    assert_string_equal(ledger_kinds(ledger_find("E-SL-4"), kinds, sizeof kinds), "TR");
    assert_string_equal(ledger_kinds(ledger_find("E-SS-4"), kinds, sizeof kinds), "EN/IM");
    assert_string_equal(ledger_kinds(ledger_find("E-GA-9"), kinds, sizeof kinds), "AM");
    assert_string_equal(ledger_kinds(ledger_find("E-GA-5"), kinds, sizeof kinds), "-");
}

static void clauses_and_operators_exist(void **state)
{
    (void)state;
    size_t count;
    const ledger_entry *all = ledger_all(&count);
    for (size_t i = 0; i < count; ++i) {
        const ts_operator *op = operators_find_known(all[i].op);
        const char *list = all[i].clauses;
        char word[64];
        assert_non_null(op);
        while (next_word(&list, word))
            if (!operator_clause(op, word))
                fail_msg("%s names %s, which is not a clause of %s", all[i].id, word, all[i].op);
        if (strncmp(all[i].id, "E-", 2) != 0 && strncmp(all[i].id, "B6-", 3) != 0)
            assert_non_null(operator_clause(op, all[i].id));
    }
}

static bool is_in_a_list(const char *list, const char *id)
{
    char word[64];
    while (next_word(&list, word))
        if (strcmp(word, id) == 0)
            return true;
    return false;
}

/* A clause that binds nobody is in an entry, and one that no sentence states says what it rests on. */
static void check_basis(const char *op, const ts_clause *c)
{
    size_t count;
    const ledger_entry *all = ledger_all(&count);
    bool found = operator_binds(c);
    if (c->basis != TS_STATED && !(c->ground && *c->ground))
        fail_msg("%s: %s is %s and has no ground", op, c->id, operator_basis_name(c->basis));
    for (size_t i = 0; i < count && !found; ++i)
        found = is_in_a_list(all[i].clauses, c->id);
    if (!found)
        fail_msg("%s: %s is %s, and no entry has it", op, c->id, operator_basis_name(c->basis));
}

static void open_clauses_have_entries(void **state)
{
    (void)state;
    size_t operators;
    const ts_operator *const *op = operators_all(&operators);
    for (size_t k = 0; k < operators; ++k) {
        if (strncmp(op[k]->name, "dml.", 4) != 0)
            continue;
        for (unsigned i = 0; i < op[k]->clause_count; ++i)
            check_basis(op[k]->name, &op[k]->clauses[i]);
        for (unsigned i = 0; i < op[k]->shared_count; ++i)
            check_basis(op[k]->name, &op[k]->shared[i]);
    }
    for (unsigned i = 0; i < OPERATOR_FILE_CLAUSES; ++i)
        check_basis("files", &operator_file_clauses[i]);
}

static void every_erratum_exists(void **state)
{
    (void)state;
    static const struct {
        const char *prefix;
        unsigned last;
    } lists[] = { { "E-SL-", 7 }, { "E-GA-", 11 }, { "E-RG-", 6 }, { "E-ST-", 14 }, { "E-SS-", 23 } };
    static const char *const others[] = { "E-SS-5b", "E-SS-8b" };
    char id[32];
    for (size_t k = 0; k < sizeof lists / sizeof lists[0]; ++k)
        for (unsigned n = 1; n <= lists[k].last; ++n) {
            snprintf(id, sizeof id, "%s%u", lists[k].prefix, n);
            assert_non_null(ledger_find(id));
        }
    for (size_t k = 0; k < sizeof others / sizeof others[0]; ++k)
        assert_non_null(ledger_find(others[k]));
    unsigned seen[17] = { 0 };
    size_t count;
    const ledger_entry *all = ledger_all(&count);
    for (size_t i = 0; i < count; ++i)
        for (size_t k = 0; k < LEDGER_ROWS && all[i].rows[k]; ++k) {
            assert_true(all[i].rows[k] <= 16);
            seen[all[i].rows[k]]++;
        }
    for (unsigned row = 1; row <= 16; ++row)
        assert_int_equal(seen[row], 1);
}

/* The id OPERATOR:examples:example=WORD, which `touchstone ledger` prints, is that of a case. */
static void expect_example(const char *entry, const case_file *f, const char *word)
{
    char parameters[96];
    uint64_t index;
    error e;
    snprintf(parameters, sizeof parameters, "example=%s", word);
    for (size_t i = 0; i < f->test_count; ++i)
        if (strcmp(f->tests[i].name, "examples") == 0) {
            if (!space_parse_id(f->tests[i].space, parameters, &index, &e))
                fail_msg("%s: %s:examples:%s: %s", entry, f->op->name, parameters, e.text);
            return;
        }
    fail_msg("%s names an example of %s, which has none", entry, f->op->name);
}

static void examples_exist(void **state)
{
    (void)state;
    size_t count, operators;
    const ledger_entry *all = ledger_all(&count);
    const ts_operator *const *op = operators_all(&operators);
    for (size_t k = 0; k < operators; ++k) {
        char path[1024], word[64];
        error e;
        assert_true(casefile_path(op[k], path, sizeof path, &e));
        case_file *f = casefile_load_of(path, op[k], &e);
        if (!f)
            fail_msg("%s", e.text);
        for (size_t i = 0; i < count; ++i) {
            const char *list = all[i].examples;
            while (strcmp(all[i].op, op[k]->name) == 0 && next_word(&list, word))
                expect_example(all[i].id, f, word);
        }
        casefile_free(f);
    }
}

static unsigned ambiguities;

/* Each `ambiguous = "..."` of a case file, with either quote. */
static int read_cases(const char *path, const struct stat *info, int type, struct FTW *place)
{
    (void)info;
    (void)place;
    size_t length = strlen(path);
    if (type != FTW_F || length < 4 || strcmp(path + length - 4, ".lua") != 0)
        return 0;
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = testing_end_text(file);
    assert_non_null(text);
    for (const char *at = text; (at = strstr(at, "ambiguous")) != NULL;) {
        char id[64], quote[2] = "";
        at += strlen("ambiguous");
        at += strspn(at, " ");
        if (*at != '=' || at[1] == '=')
            continue;
        ++at;
        at += strspn(at, " ");
        if (*at != '"' && *at != '\'')
            continue;
        quote[0] = *at++;
        size_t n = strcspn(at, quote);
        assert_true(n < sizeof id);
        memcpy(id, at, n);
        id[n] = 0;
        if (!ledger_find(id))
            fail_msg("%s: \"%s\" is not an entry of the ledger", path, id);
        ambiguities++;
    }
    free(text);
    return 0;
}

static void ambiguous_cases_name_entries(void **state)
{
    (void)state;
    assert_int_equal(nftw(TOUCHSTONE_SOURCE_DIR "/cases", read_cases, 8, FTW_PHYS), 0);
    assert_true(ambiguities >= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_are_complete),         cmocka_unit_test(kinds_are_spelled_as_in_the_errata),
        cmocka_unit_test(clauses_and_operators_exist),  cmocka_unit_test(open_clauses_have_entries),
        cmocka_unit_test(every_erratum_exists),         cmocka_unit_test(examples_exist),
        cmocka_unit_test(ambiguous_cases_name_entries),
    };
    testing_setenv("TOUCHSTONE_CASES", TOUCHSTONE_SOURCE_DIR "/cases");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
