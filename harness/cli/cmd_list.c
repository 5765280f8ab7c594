/* SPDX-License-Identifier: Apache-2.0 */
/* list and plan: the cases that a run would execute, without running them. */
#include "harness/cli/arguments.h"
#include "harness/cli/command.h"
#include "harness/execute/execute.h"
#include "harness/execute/option_operators.h"
#include "harness/cli/nothing.h"
#include "harness/cli/options.h"
#include "harness/casefile/plan.h"
#include "reference/operators.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char list_help[] =
    "Usage: touchstone list [QUERY...] [--count | --axes] [--tier TIER] [--seed N]\n"
    "       touchstone list --checked\n"
    "List the ids of the cases that the queries select, one per line; without a query, list the tests.\n"
    "\n"
    "      --axes       print the parameters of each test, what they are, and their values in this test\n"
    "      --checked    list the operators whose descriptors 'touchstone check' judges, but which are not\n"
    "                   computed, with the first feature level of each; the query 'validation' lists their tests\n"
    "      --count      print only the number of cases, per test and in total\n"
    "      --tier TIER  quick (default), full or exhaustive. A test that a query names without * is listed\n"
    "                   completely, whatever the tier, as 'touchstone run' runs it\n"
    "      --seed N     draw the cases of drawn tests from seed N (default 0)\n"
    "  -h, --help       print this text\n"
    "\n"
    "Exit status: 0; 2 the queries select no case; 64 wrong usage.\n"
    "\n"
    "Examples:\n"
    "  touchstone list\n"
    "  touchstone list 'dml.slice1:special where dtype == f16'\n"
    "  touchstone list dml.slice1:special --axes\n";

static const char plan_help[] =
    "Usage: touchstone plan [QUERY...] [-b BACKEND] [--tier TIER] [--feature-level L] [--seed N]\n"
    "Print how many cases a run would plan for each test in each tier, and about how long those of the last tier\n"
    "would take, without running them; - means none. With a --budget, drawn tests go on beyond the cases that\n"
    "tier exhaustive plans for them.\n"
    "\n"
    "  -b, --backend NAME|PATH    count the cases that are planned for this backend (default: all cases of the\n"
    "                             suite)\n"
    "      --backend-opt KEY=VAL  an option of the backend; may be repeated\n"
    "      --tier TIER            quick, full or exhaustive (default: all three)\n"
    "  -l, --feature-level L      the feature level to judge the backend at (default: its highest)\n"
    "      --seed N               draw the cases of drawn tests from seed N (default 0)\n"
    "  -h, --help                 print this text\n"
    "\n"
    "Exit status: 0; 2 the queries select no case; 64 wrong usage.\n"
    "\n"
    "Example:\n"
    "  touchstone plan 'dml.gather:*' -b cpu --tier full\n";

enum { OPT_COUNT = 256, OPT_CHECKED, OPT_AXES, OPT_TIER, OPT_SEED, OPT_BACKEND };

static bool print_ids(const plan_item *item, uint64_t *printed, error *e)
{
    space_cursor c;
    char id[CASE_ID_SIZE];
    for (bool more = space_start(&c, item->test->space, item->first, item->end, NULL, NULL); more;
         more = space_next(&c)) {
        space_format_id(&c, id, sizeof id);
        if (puts(id) == EOF)
            return error_output(e);
        ++*printed;
    }
    return !space_failed(&c, e);
}

/* The values of an axis in a test, as many as a line of the listing holds. */
static void print_values(const space_axis *axis)
{
    enum { WIDTH = 60 };
    for (size_t i = 0, used = 0; i < axis->count; ++i) {
        char value[32];
        const char *symbol = space_symbol(axis, axis->values[i]), *shown = symbol ? symbol : value;
        snprintf(value, sizeof value, "%" PRId64, axis->values[i]);
        used += strlen(shown) + 2;
        if (used > WIDTH && i > 0) {
            printf(", ... (%zu values)", axis->count);
            return;
        }
        printf("%s%s", i ? ", " : "", shown);
    }
}

static void print_axes(const space *s)
{
    for (size_t i = 0; i < space_axis_count(s); ++i) {
        const space_axis *axis = space_axis_at(s, i);
        if (axis->position)
            continue;
        printf("  %-14s %s\n                 ", axis->name, axis->description ? axis->description : "");
        if (axis->per == SPACE_FIXED)
            printf("%u elements: ", (unsigned)axis->fixed);
        else if (axis->per != SPACE_SCALAR)
            printf("per %s: ", space_axis_at(s, (size_t)axis->per)->name);
        if (space_is_drawn(s) && !(space_class_slots(s) >> i & 1))
            printf("drawn");
        else
            print_values(axis);
        printf("\n");
    }
}

/* The operators that are checked, but not computed. */
static bool list_checked(void)
{
    const ts_operator *op;
    for (size_t i = 0; (op = operators_known(i)); ++i)
        if (!operator_has_cases(op))
            printf("%-45s %s\n", op->name, tensor_level_name(op->support[0].level));
    return !ferror(stdout);
}

int cmd_list(int argc, char **argv)
{
    static const struct option options[] = {
        { "checked", no_argument, NULL, OPT_CHECKED }, { "count", no_argument, NULL, OPT_COUNT },
        { "axes", no_argument, NULL, OPT_AXES },       { "tier", required_argument, NULL, OPT_TIER },
        { "seed", required_argument, NULL, OPT_SEED }, { NULL, 0, NULL, 0 },
    };
    bool count = false, axes = false, checked = false, fine = true;
    plan_options planned = { .tier = OPTIONS_TIER };
    error e;
    int c;
    arguments args;
    arguments_start(&args, argc, argv, options);
    while (fine && (c = arguments_next(&args)) != -1) {
        switch (c) {
        case OPT_CHECKED: checked = true; break;
        case OPT_COUNT: count = true; break;
        case OPT_AXES: axes = true; break;
        case OPT_TIER: fine = options_tier(optarg, &planned.tier, &e); break;
        case OPT_SEED: fine = options_seed(optarg, &planned.seed, &e); break;
        case 'h': return command_help(list_help);
        default: return EXIT_BAD_USAGE;
        }
    }
    plan p;
    if (fine && checked && (argc > 1 + 1 || optind < argc))
        return command_usage("list", "--checked stands alone");
    if (fine && checked)
        return list_checked() ? EXIT_CONFORMANT : command_fail("list", (error_output(&e), &e));
    if (fine && count && axes)
        return command_usage("list", "--count and --axes exclude each other");
    if (!fine || !plan_make_with(&p, (const char *const *)(argv + optind), (size_t)(argc - optind), &planned, &e))
        return command_fail("list", &e);
    bool titles = optind == argc && !count;
    uint64_t total = 0;
    for (size_t i = 0; fine && i < p.item_count; ++i) {
        const plan_item *item = &p.items[i];
        uint64_t cases;
        if (axes) {
            printf("%s:%s: %s\n", item->test->file->op->name, item->test->name, item->test->title);
            print_axes(item->test->space);
            ++total;
            continue;
        }
        if (!titles && !count) {
            fine = print_ids(item, &total, &e);
            continue;
        }
        fine = space_count(item->test->space, item->first, item->end, NULL, NULL, &cases, &e);
        if (!fine || cases == 0)
            continue;
        char name[160];
        snprintf(name, sizeof name, "%s:%s", item->test->file->op->name, item->test->name);
        printf("%12" PRIu64 "  %-40s %s\n", cases, name, titles ? item->test->title : "");
        total += cases;
    }
    if (fine && (titles || count) && total && !axes)
        printf("%12" PRIu64 "  in all%s\n", total,
               titles && planned.tier == TIER_QUICK ? ", in tier quick; --tier full and exhaustive have more" : "");
    plan_free(&p);
    if (fine && total)
        nothing_of_meant("list", (const char *const *)(argv + optind), (size_t)(argc - optind));
    return !fine   ? command_fail("list", &e)
           : total ? EXIT_CONFORMANT
                   : nothing_to_do("list", (const char *const *)(argv + optind), (size_t)(argc - optind), &planned,
                                   NULL, 0);
}

/* ---- plan ---- */

/* The rates of one core with the cpu backend, for the estimate: drawn cases have larger tensors. */
#define CASES_PER_SECOND 0.9e6
#define DRAWN_PER_SECOND 3e3

static void print_duration(double seconds)
{
    if (seconds < 60)
        printf("%6.1f s", seconds);
    else if (seconds < 7200)
        printf("%4.0f min", seconds / 60);
    else
        printf("%6.1f h", seconds / 3600);
}

/* The backend that cases are planned for. */
typedef struct plan_backend {
    const char *name; /* NULL: none */
    plugin_options options;
    plugin plugin;
    executor *executor; /* NULL: none */
} plan_backend;

static bool count_planned(executor *x, const plan_item *item, uint64_t *cases, error *e)
{
    return x ? execute_count(x, item->test, item->first, item->end, cases, e)
             : space_count(item->test->space, item->first, item->end, NULL, NULL, cases, e);
}

/* The cases of a test in each tier. */
typedef struct plan_row {
    char name[160];
    bool drawn;
    uint64_t cases[TIER_EXHAUSTIVE + 1];
} plan_row;

/* The tiers from `first` to `last`. */
typedef struct plan_table {
    int first, last;
    plan_row *rows; /* the tests of all these tiers, in the order of the last one */
    size_t count;
    uint64_t totals[TIER_EXHAUSTIVE + 1];
} plan_table;

/* The row of a test, which may be new. A larger tier comes first and has the tests of the smaller ones. */
static plan_row *row_of(plan_table *table, const char *name)
{
    for (size_t i = 0; i < table->count; ++i)
        if (strcmp(table->rows[i].name, name) == 0)
            return &table->rows[i];
    plan_row *rows = realloc(table->rows, (table->count + 1) * sizeof *rows);
    if (!rows)
        return NULL;
    table->rows = rows;
    rows[table->count] = (plan_row){ .name = "" };
    snprintf(rows[table->count].name, sizeof rows->name, "%s", name);
    return &rows[table->count++];
}

/* Count the cases of one tier. */
static bool count_tier(plan_table *table, const plan_options *planned, const char *const *queries, size_t query_count,
                       plan_backend *b, error *e)
{
    plan p;
    if (!plan_make_with(&p, queries, query_count, planned, e))
        return false;
    bool fine = !b->name || option_operators_check(&b->plugin, b->name, b->options.list, b->options.count, &p, e);
    for (size_t i = 0; fine && i < p.item_count; ++i) {
        uint64_t cases;
        char name[160];
        fine = count_planned(b->executor, &p.items[i], &cases, e);
        if (!fine || cases == 0)
            continue;
        snprintf(name, sizeof name, "%s:%s", p.items[i].test->file->op->name, p.items[i].test->name);
        plan_row *row = row_of(table, name);
        fine = row ? true : error_set(e, "out of memory");
        if (fine) {
            row->drawn = p.items[i].test->draw != NULL;
            row->cases[planned->tier] += cases;
        }
        table->totals[planned->tier] += cases;
    }
    plan_free(&p);
    return fine;
}

static double seconds_of(const plan_row *row, int tier)
{
    return (double)row->cases[tier] / (row->drawn ? DRAWN_PER_SECOND : CASES_PER_SECOND);
}

/* One line per test: its cases in each tier, and how long those of the last one take. */
static void print_tests(const plan_table *table)
{
    int width = 4;
    for (size_t i = 0; i < table->count; ++i)
        width = (int)strlen(table->rows[i].name) > width ? (int)strlen(table->rows[i].name) : width;
    printf("%-*s", width, "test");
    for (int t = table->first; t <= table->last; ++t)
        printf("  %10s", case_tier_name((case_tier)t));
    printf("  time in %s\n", case_tier_name((case_tier)table->last));
    for (size_t i = 0; i < table->count; ++i) {
        const plan_row *row = &table->rows[i];
        printf("%-*s", width, row->name);
        for (int t = table->first; t <= table->last; ++t)
            if (row->cases[t])
                printf("  %10" PRIu64, row->cases[t]);
            else
                printf("  %10s", "-");
        printf("  ");
        print_duration(seconds_of(row, table->last));
        printf("\n");
    }
}

static void print_tiers(const plan_table *table)
{
    printf("\n");
    for (int t = table->first; t <= table->last; ++t) {
        if (table->totals[t] == 0) {
            printf("tier %-10s no tests\n", case_tier_name((case_tier)t));
            continue;
        }
        printf("tier %-10s %20" PRIu64 " case%s  ", case_tier_name((case_tier)t), table->totals[t],
               table->totals[t] == 1 ? " " : "s");
        double seconds = 0;
        for (size_t i = 0; i < table->count; ++i)
            seconds += seconds_of(&table->rows[i], t);
        print_duration(seconds);
        printf(" on one core, for a backend as fast as cpu (%.1f M cases/s, of drawn ones %.0f)\n",
               CASES_PER_SECOND / 1e6, DRAWN_PER_SECOND);
    }
}

int cmd_plan(int argc, char **argv)
{
    static const struct option options[] = {
        { "backend", required_argument, NULL, 'b' },
        { "backend-opt", required_argument, ARGUMENTS_REPEAT, OPT_BACKEND },
        { "tier", required_argument, NULL, OPT_TIER },
        { "feature-level", required_argument, NULL, 'l' },
        { "seed", required_argument, NULL, OPT_SEED },
        { NULL, 0, NULL, 0 },
    };
    plan_backend b = { .name = NULL };
    case_tier first = TIER_QUICK, last = TIER_EXHAUSTIVE, only;
    ts_level level = 0;
    plan_options planned = { .seed = 0 };
    bool fine = true;
    error e;
    int c;
    arguments args;
    arguments_start(&args, argc, argv, options);
    while (fine && (c = arguments_next(&args)) != -1) {
        switch (c) {
        case 'b': fine = options_backend(&b.name, &b.options, optarg, &e); break;
        case OPT_BACKEND: fine = options_add_backend(&b.options, optarg, &e); break;
        case OPT_TIER:
            fine = options_tier(optarg, &only, &e);
            if (fine)
                first = last = only;
            break;
        case 'l': fine = options_level(optarg, &level, &e); break;
        case OPT_SEED: fine = options_seed(optarg, &planned.seed, &e); break;
        case 'h': return command_help(plan_help);
        default: return EXIT_BAD_USAGE;
        }
    }
    if (fine && level && !b.name)
        return command_usage("plan", "--feature-level needs a backend to judge: add -b");
    if (fine && b.name) {
        plugin_guard_process(true);
        fine = plugin_open(&b.plugin, b.name, b.options.list, b.options.count, &e);
        execute_options judged = { .level = level ? level : b.plugin.info.highest_level };
        b.executor = fine ? execute_open(&b.plugin, &judged, &e) : NULL;
        fine = b.executor != NULL;
    }
    plan_table table = { .first = (int)first, .last = (int)last };
    for (int t = (int)last; fine && t >= (int)first; --t) {
        planned.tier = (case_tier)t;
        fine = count_tier(&table, &planned, (const char *const *)(argv + optind), (size_t)(argc - optind), &b, &e);
    }
    execute_close(b.executor);
    plugin_close(&b.plugin);
    plugin_guard_process(false);
    const bool any = table.count > 0;
    if (fine && any) {
        print_tests(&table);
        print_tiers(&table);
        nothing_of_meant("plan", (const char *const *)(argv + optind), (size_t)(argc - optind));
    }
    free(table.rows);
    planned.tier = last;
    return !fine ? command_fail("plan", &e)
           : any ? EXIT_CONFORMANT
                 : nothing_to_do("plan", (const char *const *)(argv + optind), (size_t)(argc - optind), &planned,
                                 b.name, level);
}
