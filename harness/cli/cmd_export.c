/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/command.h"
#include "harness/formats/export_dxdispatch.h"
#include "harness/formats/export_onnx.h"
#include "harness/formats/export_openvino.h"
#include "harness/cli/options.h"
#include "harness/base/output.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Usage: touchstone export ID --dxdispatch [-o FILE]\n"
    "       touchstone export ID --onnx|--openvino-ir -o FOLDER\n"
    "Write a case as something that those who know nothing of Touchstone can run.\n"
    "\n"
    "      --dxdispatch   a model of DxDispatch: dxdispatch.exe FILE runs it, and prints the outputs; what they have\n"
    "                     to be is in the file, under \"touchstone\"\n"
    "      --onnx         a folder as ONNX's own tests are: model.onnx, a Slice, Gather or Identity, and\n"
    "                     test_data_set_0 with its inputs and what has to come\n"
    "      --openvino-ir  a folder with a StridedSlice as OpenVINO's IR: model.xml and model.bin, data.bin, "
    "expected.bin,\n"
    "                     and README.txt, which says how to run it\n"
    "  -o, --output FILE  where to (standard output); - is standard output\n"
    "      --help         this text\n"
    "\n"
    "Exit status: 0 written; 3 writing failed; 64 no such case, one that the other format has no words for, or no "
    "such\n"
    "folder.\n";

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

/* What writes a folder. */
typedef bool export_function(case_view *c, const char *folder, error *e);

static bool write_folder(const char *id, export_function *write, const char *folder, error *e)
{
    case_view c;
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
        default: return command_usage("export", "that option is not known, or lacks its value");
        }
    }
    if (argc - optind != 1)
        return command_usage("export", "expected one case id");
    if (dxdispatch + onnx + openvino != 1)
        return command_usage("export", "as what? one of --dxdispatch, --onnx and --openvino-ir");
    if (!dxdispatch && strcmp(path, "-") == 0)
        return command_usage("export", onnx ? "--onnx writes a folder: -o says which"
                                            : "--openvino-ir writes a folder: -o says which");
    if (!dxdispatch)
        return write_folder(argv[optind], onnx ? export_onnx : export_openvino, path, &e) ? EXIT_CONFORMANT
                                                                                          : command_fail("export", &e);
    return write_model(argv[optind], path, &e) ? EXIT_CONFORMANT : command_fail("export", &e);
}
