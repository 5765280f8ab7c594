/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/check_print.h"
#include "harness/command.h"
#include "harness/options.h"

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
    "  -q, --quiet                only the exit status\n"
    "      --help                 this text\n"
    "\n"
    "A number that its field's type cannot hold breaks TYPE-01, and is judged as the nearest that it can.\n"
    "\n"
    "Exit status: 0 all are valid; 1 some are not; 64 a file cannot be read, or wrong usage: then nothing is printed\n"
    "but the reason. Operators that are not known here are counted, and nothing is said about them.\n";

enum { OPT_OVERLAP = 256, OPT_JSON, OPT_SARIF, OPT_HELP };

static int check_files(char **paths, int count, const check_options *o, check_format format)
{
    static check_printer p; /* too large for the stack of some systems */
    error e;
    bool ok = true;
    memset(&p, 0, sizeof p);
    p.format = format;
    p.o = o;
    p.to = tmpfile();
    if (!p.to) {
        error_set(&e, "temporary file: %s", strerror(errno));
        return command_fail("check", &e);
    }
    setvbuf(p.to, NULL, _IOFBF, (size_t)1 << 18);
    check_print_begin(&p);
    for (int i = 0; ok && i < count; ++i)
        ok = check_read_file(paths[i], o, check_print_item, &p, &e);
    if (ok) {
        check_print_end(&p);
        ok = command_copy_out(p.to, &e);
    }
    fclose(p.to);
    if (!ok)
        return command_fail("check", &e);
    return p.invalid || p.unsupported ? EXIT_FAILURES : EXIT_CONFORMANT;
}

int cmd_check(int argc, char **argv)
{
    static const struct option options[] = {
        { "feature-level", required_argument, NULL, 'l' },
        { "profile", required_argument, NULL, 'p' },
        { "output-overlap", required_argument, NULL, OPT_OVERLAP },
        { "json", no_argument, NULL, OPT_JSON },
        { "sarif", no_argument, NULL, OPT_SARIF },
        { "quiet", no_argument, NULL, 'q' },
        { "help", no_argument, NULL, OPT_HELP },
        { NULL, 0, NULL, 0 },
    };
    check_options o = { .level = 0 };
    check_format format = CHECK_TEXT;
    error e;
    bool fine = true;
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
        case OPT_JSON: format = CHECK_JSON; break;
        case OPT_SARIF: format = CHECK_SARIF; break;
        case 'q': format = CHECK_QUIET; break;
        case OPT_HELP: fputs(help, stdout); return EXIT_CONFORMANT;
        default: return command_usage("check", "that option is not known, or lacks its value");
        }
    }
    if (!fine)
        return command_fail("check", &e);
    if (optind == argc)
        return command_usage("check", "which file?");
    return check_files(argv + optind, argc - optind, &o, format);
}
