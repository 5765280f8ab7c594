/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/check/check_file.h"
#include "harness/base/visible.h"
#include "harness/check/check_print.h"
#include "harness/cli/arguments.h"
#include "harness/cli/command.h"
#include "harness/cli/options.h"
#include "harness/base/platform.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "Usage: touchstone check [OPTION...] FILE...\n"
    "Check the operator descriptors in each FILE: report the clauses that they violate, where, and what would be\n"
    "legal.\n"
    "\n"
    "  FILE.json  a DxDispatch model with operators { \"type\": \"DML_OPERATOR_SLICE1\", \"desc\": {...} },\n"
    "             or one record { \"operator\": \"dml.slice1\", \"descriptor\": {...} }, or a list of records;\n"
    "             - reads JSON, or IR, from standard input. Comments, and a comma after the last value, are\n"
    "             accepted, as DxDispatch accepts them, and FILE.jsonc is read alike. What else a model says is\n"
    "             checked, too: its resources and commands, what is bound, and the nodes of serialized graphs\n"
    "             (type dmlSerializedGraph) in their files.\n"
    "  FILE.lua   a Lua file that returns such a record or a list of them\n"
    "  FILE.xml   OpenVINO IR (version 10 or 11): the layers whose rules are known (touchstone list openvino),\n"
    "             with constants from the .bin beside it; the others are counted by type and opset\n"
    "  FILE.bin   a serialized graph of DirectML operators, as ONNX Runtime's DirectML provider writes it\n"
    "\n"
    "  -l, --feature-level L    judge at this feature level, such as 4_1 (default: the highest level, and a table\n"
    "                           of all levels)\n"
    "  -p, --profile P          a documented choice; separate several by commas, or repeat the option:\n"
    "                             openvino        clamp the begin of a reversed slice as OpenVINO does (default)\n"
    "                             numpy           clamp the begin of a reversed slice as NumPy does\n"
    "                             ov_equal_masks  require masks of one length, as OpenVINO does\n"
    "                             strict_shrink   require that begin equals end in shrink steps, as the page does\n"
    "      --output-overlap P   outputs whose elements share addresses (BUF-12): refuse (default) or allow\n"
    "      --decisions HOW      open (default): what breaks a clause that rests on a decision or an observation of\n"
    "                           ours is a warning; or binding: it is invalid\n"
    "      --allow NAME         accept warnings: of a clause, of a rule (DXD-03), or of the clauses of an entry of\n"
    "                           the ledger (E-GA-9); may be repeated. What breaks a clause that is stated or\n"
    "                           implied is no warning, and its name is wrong usage\n"
    "      --json               print a JSON list of results\n"
    "      --sarif              print SARIF 2.1.0, for editors and code hosts\n"
    "  -q, --quiet              print only errors about what cannot be read\n"
    "      --strict             exit with 1 also if a descriptor was not judged completely or a FILE contains\n"
    "                           none\n"
    "  -h, --help               print this text\n"
    "\n"
    "Each descriptor is valid, invalid, unsupported (at the feature level), undecided (no clause is violated, but\n"
    "the file does not define everything), unreadable (with the reason), or of an operator that Touchstone does\n"
    "not know. A number outside the range of its field's type violates TYPE-01; check judges the rest with the\n"
    "nearest number in range. Sizes and strides are judged with all their 64 bits. Lists whose lengths contradict\n"
    "each other violate TYPE-02.\n"
    "\n"
    "A descriptor is open if it breaks only clauses that no published sentence supports. It is refused if a named\n"
    "implementation does not take it, though no published sentence makes it illegal. It is beyond what\n"
    "Touchstone judges if it exceeds a limit of Touchstone, such as 8 dimensions.\n"
    "\n"
    "Exit status: 64 a file, a descriptor or a field cannot be read or is misspelt, or wrong usage; else 1 a\n"
    "descriptor is invalid or unsupported; else 4 one is refused; else 5 one is beyond what Touchstone judges; else\n"
    "0 every judged descriptor is valid.\n"
    "\n"
    "Examples:\n"
    "  touchstone check model.json\n"
    "  touchstone check --feature-level 4_1 --sarif model.json > check.sarif\n";

enum { OPT_OVERLAP = 256, OPT_JSON, OPT_SARIF, OPT_STRICT, OPT_ALLOW, OPT_DECISIONS };

/* The text format shows unreadable descriptors itself; for the other formats, report them on standard error. */
static bool print_item(void *context, const check_item *item, error *e)
{
    check_printer *p = context;
    error why;
    if (item->broken && p->format != CHECK_TEXT) {
        error_usage(&why, "%s", item->broken);
        check_item_error(item, &why);
        command_fail("check", &why);
    }
    if (item->misspelt && p->format != CHECK_TEXT) {
        error_usage(&why, "\"%s\": %s", item->op_name, item->note);
        check_item_error(item, &why);
        command_fail("check", &why);
    }
    for (unsigned i = 0; i < item->gaps.mistake_count && p->format != CHECK_TEXT; ++i) {
        check_item at = *item;
        at.place = check_mistake_place(item, &item->gaps.mistakes[i]);
        error_usage(&why, "%s", item->gaps.mistakes[i].text);
        check_item_error(&at, &why);
        command_fail("check", &why);
    }
    return check_print_item(p, item, e);
}

/* Check one file. A file that cannot be read does not stop the others: false only if Touchstone itself failed. */
static bool check_one(check_printer *p, const char *path, error *e)
{
    const size_t items = p->items, layers = p->other_layers;
    p->instead = NULL;
    if (!check_read_file(path, p->o, print_item, p, e)) {
        if (e->status != EXIT_BAD_USAGE)
            return false;
        command_fail("check", e);
        check_print_file(p, path, e);
    } else if (p->items == items) {
        visible_print(stderr, "touchstone check: %s: note: %s%s%s\n", path, p->instead ? "the file is " : "",
                      p->instead ? p->instead : "",
                      p->instead                 ? ", and contains no descriptor"
                      : p->other_layers > layers ? "no layer of the file is judged"
                                                 : "the file contains no descriptor");
        p->empty_files++;
    }
    return true;
}

static int check_status_of(const check_printer *p, bool strict)
{
    const bool open = strict && (check_print_open(p) || p->empty_files);
    return check_class_status(open && p->worst < CHECK_INVALID ? CHECK_INVALID : p->worst);
}

static int check_files(char **paths, int count, const check_options *o, check_format format, bool strict)
{
    static check_printer p; /* too large for the stack of some platforms */
    error e;
    bool ok = true;
    memset(&p, 0, sizeof p);
    p.format = format;
    p.o = o;
    p.to = platform_temporary_file();
    if (!p.to) {
        error_set(&e, "temporary file: %s", strerror(errno));
        return command_fail("check", &e);
    }
    setvbuf(p.to, NULL, _IOFBF, (size_t)1 << 18);
    check_print_begin(&p);
    for (int i = 0; ok && i < count; ++i)
        ok = check_one(&p, paths[i], &e);
    if (ok) {
        check_print_end(&p);
        ok = command_copy_out(p.to, &e);
    }
    fclose(p.to);
    return ok ? check_status_of(&p, strict) : command_fail("check", &e);
}

/* Set the output format; an error if another one is set already. */
static bool set_format(check_format *format, check_format wanted, error *e)
{
    if (*format != CHECK_TEXT && *format != wanted)
        return error_usage(e, "--json, --sarif and --quiet exclude each other");
    *format = wanted;
    return true;
}

int cmd_check(int argc, char **argv)
{
    static const struct option options[] = {
        { "feature-level", required_argument, NULL, 'l' },
        { "profile", required_argument, ARGUMENTS_REPEAT, 'p' },
        { "output-overlap", required_argument, NULL, OPT_OVERLAP },
        { "decisions", required_argument, NULL, OPT_DECISIONS },
        { "allow", required_argument, ARGUMENTS_REPEAT, OPT_ALLOW },
        { "json", no_argument, NULL, OPT_JSON },
        { "sarif", no_argument, NULL, OPT_SARIF },
        { "strict", no_argument, NULL, OPT_STRICT },
        { "quiet", no_argument, NULL, 'q' },
        { NULL, 0, NULL, 0 },
    };
    check_options o = { .go_on = true, .partly = true };
    check_format format = CHECK_TEXT;
    error e;
    bool fine = true, strict = false;
    int c;
    arguments args;
    arguments_start(&args, argc, argv, options);
    while (fine && (c = arguments_next(&args)) != -1) {
        switch (c) {
        case 'l': fine = options_level(optarg, &o.level, &e); break;
        case 'p': fine = check_add_profile(&o, optarg, &e); break;
        case OPT_OVERLAP:
            o.allow_overlap = strcmp(optarg, "allow") == 0;
            if (!o.allow_overlap && strcmp(optarg, "refuse") != 0)
                return command_usage("check", "--output-overlap '%s': expected allow or refuse", optarg);
            break;
        case OPT_DECISIONS: fine = options_decisions(optarg, &o.decisions, &e); break;
        case OPT_ALLOW: fine = check_allow(&o, optarg, &e); break;
        case OPT_JSON: fine = set_format(&format, CHECK_JSON, &e); break;
        case OPT_SARIF: fine = set_format(&format, CHECK_SARIF, &e); break;
        case OPT_STRICT: strict = true; break;
        case 'q': fine = set_format(&format, CHECK_QUIET, &e); break;
        case 'h': return command_help(help);
        default: return EXIT_BAD_USAGE;
        }
    }
    if (!fine)
        return command_fail("check", &e);
    if (optind == argc)
        return command_usage("check", "expected a file");
    return check_files(argv + optind, argc - optind, &o, format, strict);
}
