/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/command.h"
#include "harness/formats/export_dxdispatch.h"
#include "harness/formats/export_onnx.h"
#include "harness/formats/export_openvino.h"
#include "harness/cli/options.h"
#include "harness/cli/outputs.h"
#include "harness/base/output.h"

#include <getopt.h>
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
    "      --help         print this text\n"
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

int cmd_export(int argc, char **argv)
{
    static const struct option options[] = {
        { "dxdispatch", no_argument, NULL, 'd' },  { "onnx", no_argument, NULL, 'n' },
        { "openvino-ir", no_argument, NULL, 'v' }, { "output", required_argument, NULL, 'o' },
        { "help", no_argument, NULL, 'h' },        { NULL, 0, NULL, 0 },
    };
    const char *path = "-";
    bool dxdispatch = false, onnx = false, openvino = false;
    error e;
    int c;
    while ((c = getopt_long(argc, argv, "o:", options, NULL)) != -1) {
        switch (c) {
        case 'd': dxdispatch = true; break;
        case 'n': onnx = true; break;
        case 'v': openvino = true; break;
        case 'o': path = optarg; break;
        case 'h': fputs(help, stdout); return EXIT_CONFORMANT;
        default: return command_bad_option("export");
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
