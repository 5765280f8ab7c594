/* SPDX-License-Identifier: Apache-2.0 */
/* What may follow on a command line. The scripts for bash, zsh and fish (scripts/packaging/completions) pass the words;
   the help of the verbs says which options there are, and which arguments. */
#include "harness/base/text.h"
#include "harness/base/visible.h"
#include "harness/casefile/casefile.h"
#include "harness/check/check_class.h"
#include "harness/cli/arguments.h"
#include "harness/cli/command.h"
#include "harness/cli/verbs.h"
#include "harness/execute/plugin.h"
#include "harness/formats/export.h"
#include "reference/operators.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

static const char help[] =
    "Usage: touchstone complete [--] [WORD...]\n"
    "Print what may stand in the place of the last WORD of a command line: verbs, options, backends, operators,\n"
    "tests, parameters and their values, one to a line, with a tab and a description where there is one. It\n"
    "prints nothing where a file is expected. The completions of bash, zsh and fish use it.\n"
    "\n"
    "  -h, --help  print this text\n"
    "\n"
    "Exit status: 0; 64 wrong usage.\n"
    "\n"
    "Examples:\n"
    "  touchstone complete ru\n"
    "  touchstone complete run --backend ''\n"
    "  touchstone complete show dml.slice1:ex\n";

/* One candidate, if it begins with what has been typed. */
static void offer(const char *typed, const char *candidate, const char *description)
{
    if (strncmp(candidate, typed, strlen(typed)) != 0)
        return;
    printf("%s", candidate);
    if (description && *description)
        printf("\t%.*s", (int)strcspn(description, "\n"), description);
    printf("\n");
}

/* ---- options, from the text of a verb's help ---- */

/* "  -j, --jobs N   worker processes": the letter or 0, the name, whether a value follows, the description. */
typedef struct option_line {
    char letter;
    char name[32];
    bool value;
    const char *description;
} option_line;

static bool read_option(const char *line, option_line *o)
{
    *o = (option_line){ .description = "" };
    const char *p = line + strspn(line, " ");
    if (p == line || *p != '-')
        return false;
    if (p[1] != '-') {
        o->letter = p[1];
        p = strncmp(p + 2, ", --", 4) == 0 ? p + 4 : NULL;
    }
    if (!p)
        return false;
    const size_t n = strspn(p + 2, "abcdefghijklmnopqrstuvwxyz-");
    if (n == 0 || n >= sizeof o->name - 2)
        return false;
    snprintf(o->name, sizeof o->name, "--%.*s", (int)n, p + 2);
    p += 2 + n;
    o->value = p[0] == ' ' && p[1] != ' ' && p[1] != '\0' && p[1] != '\n';
    while (*p && *p != '\n' && !(p[0] == ' ' && p[1] == ' '))
        ++p;
    o->description = p + strspn(p, " ");
    return true;
}

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');
    return end && end[1] ? end + 1 : NULL;
}

static bool find_option(const char *page, const char *word, option_line *o)
{
    for (const char *line = page; line; line = next_line(line))
        if (read_option(line, o) &&
            (strcmp(word, o->name) == 0 || (o->letter && word[0] == '-' && word[1] == o->letter && !word[2])))
            return true;
    return false;
}

static void offer_options(const char *page, const char *typed)
{
    option_line o;
    for (const char *line = page; line; line = next_line(line))
        if (read_option(line, &o))
            offer(typed, o.name, o.description);
    offer(typed, "--color", "use colours: auto, always or never");
}

/* ---- values of options ---- */

static void offer_backend(void *context, const char *name, const char *path)
{
    (void)path;
    offer(context, name, NULL);
}

/* A line "fault=NAME  what it does" about an option of a backend: the key and, unless it stands for any, the value. */
static void offer_backend_option(const char *typed, const char *line)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_-.";
    char candidate[160];
    const size_t key = strspn(line, letters), value = line[key] == '=' ? strspn(line + key + 1, letters) : 0;
    const char *end = line + key + 1 + value;
    if (key == 0 || line[key] != '=' || key + value + 2 > sizeof candidate)
        return;
    const bool whole = *end == ' ' || *end == '\n' || *end == '\0';
    snprintf(candidate, sizeof candidate, "%.*s", (int)(key + 1 + (whole ? value : 0)), line);
    text about = { .data = NULL };
    end += strcspn(end, " \n");
    text_visible_lines(&about, end, strcspn(end, "\n"));
    offer(typed, candidate, about.data ? about.data + strspn(about.data, " ") : NULL);
    text_free(&about);
}

/* The options of the backend that the command line names: behind -b, or as the argument of `probe`. */
static void offer_backend_options(char **words, int count, bool argument, const char *typed)
{
    const char *name = NULL;
    plugin p;
    error e;
    for (int i = 1; i + 2 < count; ++i)
        if (strcmp(words[i], "-b") == 0 || strcmp(words[i], "--backend") == 0)
            name = words[i + 1];
        else if (strncmp(words[i], "--backend=", 10) == 0)
            name = words[i] + 10;
        else if (argument && !name && words[i][0] != '-')
            name = words[i];
    if (!name || !plugin_load(&p, name, &e))
        return;
    for (const char *line = plugin_describe_options(&p); line && *line;) {
        offer_backend_option(typed, line);
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    plugin_close(&p);
}

static void offer_value(const char *option, const char *typed)
{
    static const struct {
        const char *option, *values[4];
    } known[] = { { "--tier", { "quick", "full", "exhaustive" } },
                  { "--color", { "auto", "always", "never" } },
                  { "--profile", { "openvino", "numpy" } },
                  { "--decisions", { "open", "binding" } },
                  { "--subject", { "reference", "kernels", "both" } },
                  { "--shard", { "auto" } } };
    char word[256];
    snprintf(word, sizeof word, "%s", typed);
    if (strcmp(option, "--backend") == 0)
        plugin_each(offer_backend, word);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i)
        for (size_t k = 0; strcmp(option, known[i].option) == 0 && k < 4 && known[i].values[k]; ++k)
            offer(typed, known[i].values[k], NULL);
    for (size_t i = 0; strcmp(option, "--allow") == 0 && i < CHECK_RULES; ++i)
        if (check_rule_implementation(check_rules[i].id))
            offer(typed, check_rules[i].id, check_rules[i].text);
    if (strcmp(option, "--format") != 0)
        return;
    size_t count;
    const export_format *formats = export_formats(&count);
    for (size_t i = 0; i < count; ++i)
        offer(typed, formats[i].name, NULL);
}

/* ---- operators, tests, parameters ---- */

static void offer_operators(const char *typed, bool id)
{
    size_t count;
    const ts_operator *const *all = operators_all(&count);
    for (size_t i = 0; i < count; ++i) {
        char candidate[160];
        snprintf(candidate, sizeof candidate, "%s:", all[i]->name);
        if (!id)
            offer(typed, all[i]->name, NULL);
        offer(typed, candidate, NULL);
    }
}

static void offer_tests(const case_file *f, const char *typed, bool id)
{
    for (size_t i = 0; i < f->test_count; ++i) {
        char candidate[256];
        snprintf(candidate, sizeof candidate, "%s:%s%s", f->op->name, f->tests[i].name, id ? ":" : "");
        offer(typed, candidate, f->tests[i].title);
    }
}

/* "OPERATOR:TEST:a=1,b": the names of parameters behind the last comma, or the values behind the last "=". */
static void offer_parameters(const case_test *t, const char *typed, size_t parameters)
{
    const char *begin = typed + parameters, *comma = strrchr(begin, ',');
    begin = comma ? comma + 1 : begin;
    const char *equals = strchr(begin, '=');
    for (size_t i = 0; i < space_axis_count(t->space); ++i) {
        const space_axis *axis = space_axis_at(t->space, i);
        char candidate[1024];
        if (axis->position)
            continue;
        if (!equals) {
            snprintf(candidate, sizeof candidate, "%.*s%s=", (int)(begin - typed), typed, axis->name);
            offer(typed, candidate, axis->description);
        } else if (strlen(axis->name) == (size_t)(equals - begin) &&
                   strncmp(axis->name, begin, strlen(axis->name)) == 0) {
            for (size_t k = 0; k < axis->symbol_count; ++k) {
                snprintf(candidate, sizeof candidate, "%.*s%s", (int)(equals + 1 - typed), typed, axis->symbols[k]);
                offer(typed, candidate, NULL);
            }
        }
    }
}

/* A query or an id. A case file that cannot be read is no reason for a message in the middle of a command line. */
static void offer_query(const char *typed, bool id)
{
    char path[1024], name[64];
    error e;
    const size_t n = strcspn(typed, ":");
    const char *test = typed[n] ? typed + n + 1 : NULL;
    if (!test) {
        offer_operators(typed, id);
        return;
    }
    snprintf(name, sizeof name, "%.*s", (int)n, typed);
    const ts_operator *op = operators_find(name);
    case_file *f = op && casefile_path(op, path, sizeof path, &e) ? casefile_load_of(path, op, &e) : NULL;
    if (!f)
        return;
    const size_t length = strcspn(test, ":");
    if (!test[length])
        offer_tests(f, typed, id);
    for (size_t i = 0; test[length] && i < f->test_count; ++i)
        if (strlen(f->tests[i].name) == length && strncmp(f->tests[i].name, test, length) == 0)
            offer_parameters(&f->tests[i], typed, n + 1 + length + 1);
    casefile_free(f);
}

/* ---- the command line ---- */

static void offer_verbs(const char *typed, bool topics)
{
    size_t count;
    const verb *verbs = verbs_all(&count);
    for (size_t i = 0; i < count; ++i)
        offer(typed, verbs[i].name, verbs[i].summary);
    const help_topic *pages = help_topics_all(&count);
    for (size_t i = 0; topics && i < count; ++i)
        offer(typed, pages[i].name, pages[i].summary);
}

/* Is the word one of those in capitals behind "Usage: touchstone VERB"? */
static bool takes(const char *usage, const char *word)
{
    const char *end = usage + strcspn(usage, "\n"), *at = strstr(usage, word);
    return at && at < end && !isupper(at[strlen(word)]);
}

static void offer_argument(const char *page, const char *typed)
{
    const bool id = takes(page, "ID");
    if (takes(page, "VERB"))
        offer_verbs(typed, true);
    else if (id || takes(page, "QUERY") || takes(page, "OPERATOR"))
        offer_query(typed, id);
    else if (takes(page, "BACKEND"))
        offer_value("--backend", typed);
}

/* words[0] is the verb, and the last of at least two words is being typed. */
static void complete_verb(const verb *v, char **words, int count)
{
    char name[32], option[] = "--help", *explain[] = { name, option, NULL };
    text t = { .data = NULL };
    option_line o;
    const char *typed = words[count - 1], *before = words[count - 2];
    snprintf(name, sizeof name, "%s", v->name);
    command_keep_help(&t);
    v->run(2, explain);
    command_keep_help(NULL);
    if (!t.data || t.failed) {
        text_free(&t);
        return;
    }
    if (count > 2 && strcmp(before, "--backend-opt") == 0)
        offer_backend_options(words, count, takes(t.data, "BACKEND"), typed);
    else if (count > 2 && find_option(t.data, before, &o) && o.value)
        offer_value(o.name, typed);
    else if (count > 2 && strcmp(before, "--color") == 0)
        offer_value(before, typed);
    else if (typed[0] == '-')
        offer_options(t.data, typed);
    else
        offer_argument(t.data, typed);
    text_free(&t);
}

int cmd_complete(int argc, char **argv)
{
    static const struct option options[] = { { NULL, 0, NULL, 0 } };
    arguments args;
    int c;
    arguments_start(&args, argc, argv, options);
    args.in_order = true; /* the options behind the verb are words of the command line */
    while ((c = arguments_next(&args)) != -1)
        return c == 'h' ? command_help(help) : EXIT_BAD_USAGE;
    char **words = argv + optind;
    const int count = argc - optind;
    const verb *v = count > 1 ? verbs_find(words[0]) : NULL;
    if (v)
        complete_verb(v, words, count);
    else if (count <= 1)
        offer_verbs(count == 1 ? words[0] : "", false);
    return EXIT_CONFORMANT;
}
