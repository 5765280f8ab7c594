/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/check/check_file.h"
#include "harness/check/check_print.h"
#include "harness/cli/command.h"
#include "harness/cli/options.h"
#include "harness/base/platform.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "Usage: touchstone check [OPTION...] FILE...\n"
    "Say which clauses the descriptors in each FILE break, where, and what would be legal.\n"
    "\n"
    "  .json  DxDispatch models, operators { \"type\": \"DML_OPERATOR_SLICE1\", \"desc\": {...} },\n"
    "         or records { \"operator\": \"dml.slice1\", \"descriptor\": {...} }, one or a list; - is standard input\n"
    "  .lua   a file that returns such a record or a list of them\n"
    "  .xml   OpenVINO IR (version 10 or 11): its StridedSlice layers; constants are read from the .bin beside it\n"
    "\n"
    "  -l, --feature-level L      judge at this level, such as 4_1 (default: at the highest, with a table of all)\n"
    "  -p, --profile P            a documented choice; several with commas or by repeating it:\n"
    "                               openvino        reverse begin as OpenVINO clamps it (the default)\n"
    "                               numpy           reverse begin as NumPy clamps it\n"
    "                               ov_equal_masks  masks of one length only, as OpenVINO wants\n"
    "                               strict_shrink   begin equals end in shrink steps, as the page says\n"
    "      --output-overlap P     refuse (the default) or allow outputs whose elements share addresses (BUF-12)\n"
    "      --json                 a list of results\n"
    "      --sarif                SARIF 2.1.0, for editors and code hosts\n"
    "  -q, --quiet                only the exit status, and what cannot be read\n"
    "      --strict               exit with 1 where anything was not judged to the end, or nothing was there to judge\n"
    "      --help                 this text\n"
    "\n"
    "A number that its field's type cannot hold breaks TYPE-01, and is judged as the nearest that it can; sizes and\n"
    "strides are judged as they stand, in 64 bits. Lists of lengths that do not fit each other break TYPE-02.\n"
    "\n"
    "Comments and commas behind the last value are accepted in JSON, as DxDispatch does.\n"
    "\n"
    "Besides valid, invalid and unsupported (by that feature level) a descriptor may be undecided: no clause is "
    "broken,\n"
    "but the file does not tell all; unreadable, with the reason; or of an operator that is not known here. Those are\n"
    "counted apart, and all else is judged.\n"
    "\n"
    "Exit status: 0 all that was judged is valid; 1 some is not; 64 a file or descriptor cannot be read, or wrong "
    "usage.\n";

enum { OPT_OVERLAP = 256, OPT_JSON, OPT_SARIF, OPT_STRICT, OPT_HELP };

/* The reader of the printed text sees an unreadable descriptor there; others are told here. */
static bool print_item(void *context, const check_item *item, error *e)
{
    check_printer *p = context;
    if (item->broken && p->format != CHECK_TEXT) {
        error why;
        error_usage(&why, "%s", item->broken);
        check_item_error(item, &why);
        command_fail("check", &why);
    }
    return check_print_item(p, item, e);
}

/* What one file cannot do to the others: false only where Touchstone itself failed. */
static bool check_one(check_printer *p, const char *path, error *e)
{
    size_t items = p->items;
    if (!check_read_file(path, p->o, print_item, p, e)) {
        if (e->status != EXIT_BAD_USAGE)
            return false;
        command_fail("check", e);
        check_print_file(p, path, e);
    } else if (p->items == items) {
        fprintf(stderr, "touchstone check: %s: note: no descriptor in it\n", path);
        p->empty_files++;
    }
    return true;
}

static int check_status_of(const check_printer *p, bool strict)
{
    if (p->unreadable || p->bad_files)
        return EXIT_BAD_USAGE;
    if (p->invalid || p->unsupported || (strict && (check_print_open(p) || p->empty_files)))
        return EXIT_FAILURES;
    return EXIT_CONFORMANT;
}

static int check_files(char **paths, int count, const check_options *o, check_format format, bool strict)
{
    static check_printer p; /* too large for the stack of some systems */
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

/* One format, named once. */
static bool set_format(check_format *format, check_format wanted, error *e)
{
    if (*format != CHECK_TEXT && *format != wanted)
        return error_usage(e, "only one of --json, --sarif and --quiet can be had");
    *format = wanted;
    return true;
}

int cmd_check(int argc, char **argv)
{
    static const struct option options[] = {
        { "feature-level", required_argument, NULL, 'l' },
        { "profile", required_argument, NULL, 'p' },
        { "output-overlap", required_argument, NULL, OPT_OVERLAP },
        { "json", no_argument, NULL, OPT_JSON },
        { "sarif", no_argument, NULL, OPT_SARIF },
        { "strict", no_argument, NULL, OPT_STRICT },
        { "quiet", no_argument, NULL, 'q' },
        { "help", no_argument, NULL, OPT_HELP },
        { NULL, 0, NULL, 0 },
    };
    check_options o = { .go_on = true };
    check_format format = CHECK_TEXT;
    error e;
    bool fine = true, strict = false;
    int c;
    optind = 0; /* the program's own options were read before */
    while (fine && (c = getopt_long(argc, argv, "l:p:q", options, NULL)) != -1) {
        switch (c) {
        case 'l': fine = options_level(optarg, &o.level, &e); break;
        case 'p': fine = check_add_profile(&o, optarg, &e); break;
        case OPT_OVERLAP:
            o.allow_overlap = strcmp(optarg, "allow") == 0;
            if (!o.allow_overlap && strcmp(optarg, "refuse") != 0)
                return command_usage("check", "--output-overlap '%s': expected allow or refuse", optarg);
            break;
        case OPT_JSON: fine = set_format(&format, CHECK_JSON, &e); break;
        case OPT_SARIF: fine = set_format(&format, CHECK_SARIF, &e); break;
        case OPT_STRICT: strict = true; break;
        case 'q': fine = set_format(&format, CHECK_QUIET, &e); break;
        case OPT_HELP: fputs(help, stdout); return EXIT_CONFORMANT;
        default: return command_usage("check", "that option is not known, or lacks its value");
        }
    }
    if (!fine)
        return command_fail("check", &e);
    if (optind == argc)
        return command_usage("check", "which file?");
    return check_files(argv + optind, argc - optind, &o, format, strict);
}
