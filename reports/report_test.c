/* SPDX-License-Identifier: Apache-2.0 */
/* Synthetic runs in every format. `report_test --make-run PATH FINDINGS CASES` makes such a run; `--make-html RUN FILE`
   writes its page. */
#include "reports/report_rig.h"
#include "harness/store/store_printed.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define HOSTILE                                                                                                        \
    "<script>alert('\"x\"')</script> & ]]> \x01\x1b[31m \xff\xfe \xed\xa0\x80 caf\xc3\xa9, \"quoted\"\r\nnext"

/* Check that tags nest, attributes are quoted and entities are known. */
static void well_formed(const text *t)
{
    const char *names[64];
    size_t lengths[64], depth = 0;
    const char *p = t->data;
    while (*p) {
        if (*p == '&') {
            static const char *const known[] = { "&amp;", "&lt;", "&gt;", "&quot;", "&#39;", "&#9;", "&#10;", "&#13;" };
            bool found = false;
            for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
                found |= strncmp(p, known[i], strlen(known[i])) == 0;
            assert_true(found);
        }
        if (*p++ != '<')
            continue;
        if (*p == '?') {
            p = strstr(p, "?>") + 2;
            continue;
        }
        bool closing = *p == '/';
        p += closing;
        size_t n = strcspn(p, " />\n");
        assert_true(n > 0);
        if (closing) {
            assert_true(depth > 0 && lengths[depth - 1] == n && strncmp(names[depth - 1], p, n) == 0);
            --depth;
            p += n;
            assert_int_equal(*p, '>');
            continue;
        }
        names[depth] = p;
        lengths[depth] = n;
        p += n;
        while (*p == ' ') {
            p += 1 + strcspn(p + 1, "=<>");
            assert_int_equal(p[0], '=');
            assert_int_equal(p[1], '"');
            p += 2 + strcspn(p + 2, "\"<>");
            assert_int_equal(*p++, '"');
        }
        if (*p == '/')
            ++p;
        else
            ++depth;
        assert_true(depth < 64);
        assert_int_equal(*p, '>');
    }
    assert_int_equal(depth, 0);
}

/* The number of rows (RFC 4180); checks that each has as many fields as the first. */
static size_t csv_rows(const text *t, size_t *fields)
{
    size_t rows = 0, n = 1;
    bool quoted = false;
    for (const char *p = t->data; *p; ++p) {
        if (*p == '"')
            quoted = !quoted;
        else if (!quoted && *p == ',')
            ++n;
        else if (!quoted && *p == '\n') {
            assert_int_equal(p[-1], '\r');
            if (rows++ == 0)
                *fields = n;
            assert_int_equal(n, *fields);
            n = 1;
        }
    }
    assert_false(quoted);
    return rows;
}

static bool github(store *s, const char *path, error *e)
{
    return report_github(s, path, NULL, e);
}

static const writer writers[] = { report_html, report_csv, report_junit, report_json, report_markdown, github };
static const char *const endings[] = { "r.html", "r.csv", "r.xml", "r.json", "r.md", "r.txt" };
enum { WRITERS = 6 };

/* Nothing that a run file holds begins a line: in Markdown it could begin HTML, in a log of GitHub a command. */
static void lines_begin_with(const text *t, const char *const *begins)
{
    for (const char *line = t->data; *line; line += strcspn(line, "\n") + 1) {
        bool known = *line == '\n';
        for (size_t i = 0; begins[i]; ++i)
            known |= strncmp(line, begins[i], strlen(begins[i])) == 0;
        if (!known)
            fail_msg("a line begins otherwise: %.60s", line);
    }
}

/* ---- tests --------------------------------------------------------------------------------------------------------
 */

static void text_is_escaped(void **state)
{
    (void)state;
    text t = { 0 };
    text_xml(&t, "a<b>&\"'\n\x01\xff\xc3\xa9\xef\xbf\xbf");
    assert_string_equal(t.data, "a&lt;b&gt;&amp;&quot;&#39;&#10;\xef\xbf\xbd\xef\xbf\xbd\xc3\xa9\xef\xbf\xbd");
    t.length = 0;
    text_json(&t, "</script>\\\"\x02\xe2\x80\xa8\xc0\x80");
    assert_string_equal(t.data, "\"\\u003c/script>\\\\\\\"\\u0002\\u2028\xef\xbf\xbd\xef\xbf\xbd\"");
    t.length = 0;
    text_csv(&t, "a \"b\", c");
    text_csv(&t, NULL);
    text_csv(&t, "plain");
    assert_string_equal(t.data, "\"a \"\"b\"\", c\"plain");
    t.length = 0;
    text_count(&t, 0);
    text_add(&t, " ");
    text_count(&t, 1234567);
    text_add(&t, " ");
    text_short_count(&t, 9999);
    text_add(&t, " ");
    text_short_count(&t, 4999999);
    text_add(&t, " ");
    text_short_count(&t, UINT64_MAX);
    assert_string_equal(t.data, "0 1,234,567 9,999 4.9 M 18.4 E");
    t.length = 0;
    text_base64(&t, "hello", 5);
    text_base64(&t, "", 0);
    text_base64(&t, "abcdef", 6);
    assert_string_equal(t.data, "aGVsbG8=YWJjZGVm");
    text_free(&t);
}

static void all_formats_report_a_passing_run(void **state)
{
    (void)state;
    uint64_t cases = 100000 * test_count();
    make_run(at("run"), 0, cases, "complete");
    text html = report(report_html, at("run"), "r.html"), csv = report(report_csv, at("run"), "r.csv");
    text junit = report(report_junit, at("run"), "r.xml"), json = report(report_json, at("run"), "r.json");
    char headline[160];
    snprintf(
        headline, sizeof headline,
        "<h1>All %zu operators, all data types: conformant in what was run: &#39;dml.*:*&#39;, at feature level 6_4 (",
        operator_count());
    has(&html, headline);
    has(&html, "header class=\"good\"");
    assert_int_equal(occurrences(&html, "<script"), 1);  /* the ledger's */
    assert_true(html.length < 12500 * operator_count()); /* whatever the number of cases */
    clean(&html);
    size_t fields;
    csv_rows(&csv, &fields);
    clean(&csv);
    assert_int_equal(fields, 22);
    well_formed(&junit);
    char expected[160];
    snprintf(expected, sizeof expected,
             "<testsuites name=\"touchstone\" tests=\"%zu\" failures=\"0\" errors=\"0\" skipped=\"0\" time=\"269.41\">",
             test_count());
    has(&junit, expected);
    json_t *all = json_loadb(json.data, json.length, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(all);
    assert_string_equal(json_string_value(json_object_get(all, "digest")), "9e107d9d372bb6826bd81d3542a419d6");
    assert_string_equal(json_string_value(json_object_get(all, "outcome")), "conformant");
    assert_int_equal(json_integer_value(json_object_get(json_object_get(all, "total"), "planned")), cases);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(all, "total"), "failed")), 0);
    assert_int_equal(json_array_size(json_object_get(all, "tests")), test_count());
    assert_int_equal(json_array_size(json_object_get(all, "clauses")), 12 * operator_count());
    json_decref(all);
    text_free(&html);
    text_free(&csv);
    text_free(&junit);
    text_free(&json);
}

static void all_formats_report_the_same_failures(void **state)
{
    (void)state;
    enum { FINDINGS = 300 };
    make_run(at("run"), FINDINGS, 100000 * test_count(), "complete");
    tally_findings(at("run"));
    text html = report(report_html, at("run"), "r.html"), csv = report(report_csv, at("run"), "r.csv");
    text junit = report(report_junit, at("run"), "r.xml"), json = report(report_json, at("run"), "r.json");
    json_t *all = json_loadb(json.data, json.length, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(all);
    json_t *findings = json_object_get(all, "findings");
    assert_int_equal(json_array_size(findings), FINDINGS);
    json_int_t failed = json_integer_value(json_object_get(json_object_get(all, "total"), "failed"));
    json_t *first = json_array_get(findings, 0);
    assert_true(json_is_object(json_object_get(first, "descriptor")));
    assert_int_equal(json_array_size(json_object_get(first, "tensors")), 2);
    assert_string_equal(json_string_value(json_object_get(first, "basis")), "implied");
    assert_string_equal(json_string_value(json_object_get(first, "ground")), "example 2 of the page");
    json_t *clause = json_array_get(json_object_get(all, "clauses"), 0);
    assert_string_equal(json_string_value(json_object_get(clause, "basis")), "implied");
    has(&html, "<span class=\"note\">\xC2\xB7 implied: example 2 of the page</span>");
    char expected[80];
    snprintf(expected, sizeof expected, "<h1>Not conformant: 3 of %zu operators have failures (", operator_count());
    has(&html, expected);
    has(&html, "<details class=\"finding\" id=\"finding=dml.");
    has(&html, "<em>");
    has(&html, "<td class=w>");
    has(&html, "&amp;dtype=f16\">");
    assert_true(occurrences(&html, "<details class=\"finding\"") <= 200);
    size_t fields;
    assert_int_equal(csv_rows(&csv, &fields) - occurrences(&csv, "\r\ncases,") - 1, FINDINGS);
    assert_int_equal(occurrences(&csv, "\r\nfinding,"), FINDINGS);
    well_formed(&junit);
    /* Servers count each failing case once: as its finding, and not as one of its test, too. */
    char counts[120];
    assert_int_equal(occurrences(&junit, "<failure "), failed);
    assert_int_equal(occurrences(&junit, "<testcase "), test_count() - 6 + FINDINGS);
    snprintf(counts, sizeof counts, "<testsuites name=\"touchstone\" tests=\"%zu\" failures=\"%d\" errors=\"0\"",
             test_count() - 6 + FINDINGS, (int)failed);
    has(&junit, counts);
    clean(&html);
    clean(&csv);
    clean(&junit);
    clean(&json);
    json_decref(all);
    text_free(&html);
    text_free(&csv);
    text_free(&junit);
    text_free(&json);
}

/* What a reader asks first stands first; what passes is folded; a link names a case. */
static void the_page_is_in_the_order_of_questions(void **state)
{
    (void)state;
    static const char *const parts[] = {
        "<header class=\"bad\">",   "<nav aria-label=\"Sections\">", "<main id=\"main\">",
        "<section id=\"causes\"",   "<section id=\"tests\"",         "class=\"num bad\">",
        "<tr class=\"fold\">",      "<section id=\"findings\"",      "touchstone explain &#39;dml.",
        "<section id=\"coverage\"", "<section id=\"clauses\"",       "<section id=\"ledger\"",
        "<h3 id=\"observations\">", "<section id=\"run\"",           "</main>\n<footer>"
    };
    make_run(at("run"), 300, 100000 * test_count(), "complete");
    tally_findings(at("run"));
    store *s = store_open_uncounted(at("run"), &trouble);
    check(s != NULL);
    check(store_set(s, STORE_PROFILE, "numpy", &trouble));
    store_close(s);
    text html = report(report_html, at("run"), "r.html");
    const char *place = html.data;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
        place = strstr(place, parts[i]);
        if (!place)
            fail_msg("not there, or not in order: %s", parts[i]);
    }
    /* Every operator without failures is one line: three fail, with two of their tests each. */
    assert_int_equal(occurrences(&html, "<tr class=\"test\">"), 6);
    assert_int_equal(occurrences(&html, "<tr class=\"fold\">"), operator_count());
    has(&html, " tests pass: ");
    has(&html, "&#39; --profile numpy</pre>");
    has(&html, "\"explain\":\" --profile numpy\"");
    has(&html, " \xC2\xB7 directml</title>");
    has(&html, "<a href=\"#test=dml.");
    assert_int_equal(occurrences(&html, "href=\"#finding-"), 0);
    text_free(&html);
}

static void hostile_strings_are_escaped(void **state)
{
    (void)state;
    store *s = store_create(at("run"), &trouble);
    check(s != NULL);
    set_facts(s, "complete");
    check(store_set(s, STORE_BACKEND, HOSTILE, &trouble));
    check(store_set(s, STORE_BACKEND_DEVICE, HOSTILE, &trouble));
    check(store_set(s, STORE_LEVEL, HOSTILE, &trouble));
    store_test t = { .op = HOSTILE, .test = HOSTILE, .tier = HOSTILE, .title = HOSTILE, .points = 9, .planned = 3 };
    check(store_add_test(s, &t, &trouble));
    check(store_add_tally(s, 1, HOSTILE, HOSTILE, VERDICT_MISMATCH, 3, &trouble));
    store_observation o = { 1, HOSTILE, 1, HOSTILE, HOSTILE };
    check(store_add_observation(s, &o, &trouble));
    store_clause c = { HOSTILE, HOSTILE, HOSTILE, "https://example.org/\"><script>", HOSTILE, HOSTILE, HOSTILE, true, 0, 0 };
    check(store_add_clause(s, &c, &trouble));
    store_finding f = { .test = 1,
                        .case_id = HOSTILE,
                        .verdict = VERDICT_MISMATCH,
                        .clause = HOSTILE,
                        .dtype = HOSTILE,
                        .level = HOSTILE,
                        .tensor = HOSTILE,
                        .element = HOSTILE,
                        .expected = HOSTILE,
                        .actual = HOSTILE,
                        .source = HOSTILE,
                        .detail = HOSTILE,
                        .descriptor = HOSTILE,
                        .tensors = HOSTILE,
                        .reproducer = HOSTILE,
                        .printed = HOSTILE };
    const store_printed printed = { 1, 1, 1, 10, 2, HOSTILE, HOSTILE };
    check(store_add_printed(s, &printed, &trouble));
    check(store_add_finding(s, &f, &trouble));
    f.descriptor = "{\"<script>\": [1, {\"a\": \"</pre><script>\"}], \"large\": 18446744073709551615}";
    f.tensors =
        "[{\"name\":\"<script>\",\"dtype\":\"<script>\",\"sizes\":[2],\"values\":[\"<script>\",null],\"expected\":[\"</"
        "td>\",\"1\"]},"
        "{\"name\":5,\"sizes\":[1,2,3,4,5,6,7,8,9]},{\"sizes\":[-1],\"values\":7},3,{\"sizes\":[99999999,99999999]}]";
    f.index = 1;
    check(store_add_finding(s, &f, &trouble));
    store_finding bare = { .test = 1, .index = 2, .verdict = VERDICT_HANG };
    check(store_add_finding(s, &bare, &trouble));
    bare.test = 77; /* of no test: the run file is damaged, but must be reported */
    check(store_add_finding(s, &bare, &trouble));
    store_close(s);
    for (int i = 0; i < WRITERS; ++i) {
        text t2 = report(writers[i], at("run"), endings[i]);
        if (writers[i] == report_json) {
            json_t *all = json_loadb(t2.data, t2.length, JSON_REJECT_DUPLICATES, NULL);
            assert_non_null(all);
            json_decref(all);
        } else if (writers[i] == report_csv) {
            size_t fields;
            assert_int_equal(csv_rows(&t2, &fields), 1 + 1 + 4);
        } else if (writers[i] == report_markdown) {
            static const char *const begins[] = { "## Touchstone: ",
                                                  "### ",
                                                  "| ",
                                                  "|---",
                                                  "- `",
                                                  "- ",
                                                  "Not conformant",
                                                  "<details>",
                                                  "</details>",
                                                  "Causes are not known: ",
                                                  NULL };
            lines_begin_with(&t2, begins);
        } else if (writers[i] == github) {
            static const char *const begins[] = { "::error title=", NULL };
            lines_begin_with(&t2, begins);
        } else {
            assert_int_equal(occurrences(&t2, "<script>alert"), 0);
        }
        if (writers[i] == report_junit)
            well_formed(&t2);
        /* The scripts of the page: the findings, their renderings, the names and the code. */
        if (writers[i] == report_html)
            assert_int_equal(occurrences(&t2, "<script"), 4);
        if (writers[i] != report_csv)
            clean(&t2);
        text_free(&t2);
    }
}

static void an_unfinished_run_never_passes(void **state)
{
    (void)state;
    const uint64_t cases = 200000 * test_count();
    make_run(at("run"), 0, cases, "running");
    make_run(at("stopped"), 0, cases, "incomplete");
    make_run(at("empty"), 0, 0, "complete");
    text running = report(report_html, at("run"), "a.html"), stopped = report(report_html, at("stopped"), "b.html");
    text empty = report(report_html, at("empty"), "c.html"), junit = report(report_junit, at("stopped"), "b.xml");
    text nothing = report(report_junit, at("empty"), "c.xml"), csv = report(report_csv, at("stopped"), "b.csv");
    text progress = { 0 }, expected = { 0 };
    text_short_count(&progress, cases);
    text_add(&progress, " of ");
    text_short_count(&progress, cases / 2 * 3);
    text_format(&expected, "<h1>Running: %s planned, no failure so far</h1>", progress.data);
    has(&running, expected.data);
    expected.length = 0;
    text_format(&expected, "<h1>Incomplete: ran %s planned</h1>", progress.data);
    has(&stopped, expected.data);
    expected.length = 0;
    text_format(&expected, "errors=\"%zu\"", test_count());
    has(&junit, expected.data);
    text_free(&progress);
    text_free(&expected);
    has(&stopped, "header class=\"warn\"");
    has(&empty, "<h1>Nothing was tested: the run plans no case</h1>");
    has(&junit, "type=\"not-run\"");
    has(&nothing, "errors=\"1\"");
    has(&csv, ",not-run,100000,");
    well_formed(&junit);
    well_formed(&nothing);
    text_free(&running);
    text_free(&stopped);
    text_free(&empty);
    text_free(&junit);
    text_free(&nothing);
    text_free(&csv);
}

static void a_report_is_complete_or_absent(void **state)
{
    (void)state;
    make_run(at("run"), 20, 15000, "complete");
    store *s = store_open_uncounted(at("run"), &trouble);
    check(s != NULL);
    for (int i = 0; i < WRITERS; ++i) {
        error e = { 0 };
        assert_false(writers[i](s, at("no/such/folder/r"), &e));
        assert_non_null(strstr(e.text, "cannot be written: No such file or directory"));
        assert_false(writers[i](s, folder, &e));
        assert_non_null(strstr(e.text, "is a directory"));
#if !defined(_WIN32) /* Windows has no device files */
        if (access("/dev/full", W_OK) == 0) {
            assert_false(writers[i](s, "/dev/full", &e));
            assert_non_null(strstr(e.text, "the disk is full"));
            assert_int_equal(e.status, EXIT_HARNESS);
        }
        check(writers[i](s, "/dev/null", &trouble)); /* a device is written to, not replaced */
        struct stat info;
        assert_int_equal(stat("/dev/null", &info), 0);
        assert_true(S_ISCHR(info.st_mode));
#endif
    }
    assert_int_equal(testing_count(folder), 1);
    /* An old report is replaced as a whole; a file with the name of a temporary file is left alone. */
    FILE *file = fopen(at("r.csv"), "wb");
    fputs("old", file);
    fclose(file);
    file = fopen(at("r.csv.partial-0"), "wb");
    fputs("somebody's", file);
    fclose(file);
    check(report_csv(s, at("r.csv"), &trouble));
    text csv = slurp(at("r.csv")), other = slurp(at("r.csv.partial-0"));
    has(&csv, "record,operator,test,");
    assert_string_equal(other.data, "somebody's");
    assert_int_equal(testing_count(folder), 3);
    text_free(&csv);
    text_free(&other);
    store_close(s);
}

static void a_dash_is_standard_output(void **state)
{
    (void)state;
    make_run(at("run"), 3, 15000, "complete");
    store *s = store_open_uncounted(at("run"), &trouble);
    check(s != NULL);
    fflush(stdout);
    int saved = dup(STDOUT_FILENO), file = open(at("out"), O_CREAT | O_WRONLY, 0600);
    dup2(file, STDOUT_FILENO);
    bool ok = report_csv(s, "-", &trouble);
    fflush(stdout);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    close(file);
    assert_true(ok);
    text dash = slurp(at("out")), named = report(report_csv, at("run"), "r.csv");
    assert_string_equal(dash.data, named.data);
    text_free(&dash);
    text_free(&named);
    store_close(s);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void a_page_of_many_findings_stays_small(void **state)
{
    (void)state;
    make_run(at("run"), 100000, 100000000, "complete");
    tally_findings(at("run"));
    for (int i = 0; i < WRITERS; ++i) {
        double before = now();
        text t = report(writers[i], at("run"), endings[i]);
        print_message("%s of 10^5 findings: %.0f bytes, %.2f s\n", endings[i], (double)t.length, now() - before);
        if (writers[i] == report_html) {
            assert_true(t.length < 5000000);
            assert_true(occurrences(&t, "<details class=\"finding\"") <= 200);
        }
        text_free(&t);
    }
}

int main(int argc, char **argv)
{
    if (argc == 5 && strcmp(argv[1], "--make-run") == 0) {
        uint64_t findings = strtoull(argv[3], NULL, 10), cases = strtoull(argv[4], NULL, 10);
        make_run(argv[2], findings, cases, "complete");
        tally_findings(argv[2]);
        return 0;
    }
    if (argc == 4 && strcmp(argv[1], "--make-html") == 0) {
        store *s = store_open_uncounted(argv[2], &trouble);
        check(s != NULL);
        check(report_html(s, argv[3], &trouble));
        store_close(s);
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(text_is_escaped, empty_folder),
        cmocka_unit_test_setup(all_formats_report_a_passing_run, empty_folder),
        cmocka_unit_test_setup(all_formats_report_the_same_failures, empty_folder),
        cmocka_unit_test_setup(the_page_is_in_the_order_of_questions, empty_folder),
        cmocka_unit_test_setup(hostile_strings_are_escaped, empty_folder),
        cmocka_unit_test_setup(an_unfinished_run_never_passes, empty_folder),
        cmocka_unit_test_setup(a_report_is_complete_or_absent, empty_folder),
        cmocka_unit_test_setup(a_dash_is_standard_output, empty_folder),
        cmocka_unit_test_setup(a_page_of_many_findings_stays_small, empty_folder),
    };
    return cmocka_run_group_tests(tests, set_up_folder, remove_folder);
}
