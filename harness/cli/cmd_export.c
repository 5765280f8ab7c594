/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/arguments.h"
#include "harness/cli/command.h"
#include "harness/formats/export_dxdispatch.h"
#include "harness/formats/export_onnx.h"
#include "harness/formats/export_openvino.h"
#include "harness/cli/options.h"
#include "harness/cli/outputs.h"
#include "harness/base/output.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Usage: touchstone export ID --dxdispatch [-o FILE]\n"
    "       touchstone export ID --onnx|--openvino-ir -o FOLDER\n"
    "Write one case in a format that other tools run without Touchstone.\n"
    "\n"
    "      --dxdispatch   a DxDispatch model: 'dxdispatch.exe FILE' executes it and prints the outputs; the file\n"
    "                     has the expected outputs under \"touchstone\"\n"
    "      --onnx         a folder in the layout of ONNX's own tests: model.onnx (a Slice, Gather or Identity),\n"
    "                     and test_data_set_0 with the inputs and the expected outputs\n"
    "      --openvino-ir  a folder with a StridedSlice as OpenVINO IR: model.xml, model.bin, data.bin,\n"
    "                     expected.bin, and README.txt, which explains how to execute it\n"
    "  -o, --output PATH  where to write (default, for --dxdispatch only: standard output, which is also -)\n"
    "  -h, --help         print this text\n"
    "\n"
    "Exit status: 0 written; 3 writing failed; 64 wrong usage, no such case, or a case that the format cannot\n"
    "express.\n"
    "\n"
    "Example:\n"
    "  touchstone export dml.slice1:examples:example=2 --onnx -o case\n";

static bool write_model(const char *id, const char *path, error *e)
{
    case_view c;
    output out;
    bool fine = case_view_open(&c, id, TS_PROFILE_DEFAULT, 0, e);
    json_t *model = fine ? export_dxdispatch(&c, e) : NULL;
    case_view_close(&c);
    char *model_text = model ? json_dumps(model, JSON_INDENT(1)) : NULL;
    json_decref(model);
    if (!model)
        return false;
    if (!model_text)
        return error_set(e, "out of memory");
    fine = output_open(&out, path, e);
    if (fine) {
        text_add(&out.text, model_text);
        text_add(&out.text, "\n");
        fine = output_close(&out, true, e);
    }
    free(model_text);
    return fine;
}

typedef bool export_function(case_view *c, const char *folder, error *e);

static bool write_folder(const char *id, export_function *write, const char *folder, error *e)
{
    /* Refuse before the first file is written. */
    static const char *const names[] = { "model.onnx", "model.xml", "model.bin", "data.bin", "expected.bin" };
    case_view c;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        char path[PATH_MAX];
        const output_name out = { "--output", path };
        snprintf(path, sizeof path, "%.*s/%s", PATH_MAX - 32, folder, names[i]);
        if (!outputs_check(&out, 1, NULL, 0, e))
            return false;
    }
    bool fine = case_view_open(&c, id, TS_PROFILE_DEFAULT, 0, e) && write(&c, folder, e);
    case_view_close(&c);
    return fine;
}

enum { OPT_DXDISPATCH = 256, OPT_ONNX, OPT_OPENVINO };

int cmd_export(int argc, char **argv)
{
    static const struct option options[] = {
        { "dxdispatch", no_argument, NULL, OPT_DXDISPATCH },
        { "onnx", no_argument, NULL, OPT_ONNX },
        { "openvino-ir", no_argument, NULL, OPT_OPENVINO },
        { "output", required_argument, NULL, 'o' },
        { NULL, 0, NULL, 0 },
    };
    const char *path = "-";
    bool dxdispatch = false, onnx = false, openvino = false;
    error e;
    int c;
    arguments args;
    arguments_start(&args, argc, argv, options);
    while ((c = arguments_next(&args)) != -1) {
        switch (c) {
        case OPT_DXDISPATCH: dxdispatch = true; break;
        case OPT_ONNX: onnx = true; break;
        case OPT_OPENVINO: openvino = true; break;
        case 'o': path = optarg; break;
        case 'h': return command_help(help);
        default: return EXIT_BAD_USAGE;
        }
    }
    if (argc - optind != 1)
        return command_usage("export", "expected one case id");
    if (dxdispatch + onnx + openvino != 1)
        return command_usage("export", "expected one format: --dxdispatch, --onnx or --openvino-ir");
    if (!dxdispatch && strcmp(path, "-") == 0)
        return command_usage("export", "%s writes a folder: name it with -o", onnx ? "--onnx" : "--openvino-ir");
    if (!dxdispatch)
        return write_folder(argv[optind], onnx ? export_onnx : export_openvino, path, &e) ? EXIT_CONFORMANT
                                                                                          : command_fail("export", &e);
    return write_model(argv[optind], path, &e) ? EXIT_CONFORMANT : command_fail("export", &e);
}
