/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/formats/export_call.h"

bool export_call(const case_view *c, onnx_call *call, export_files *f)
{
    const ts_descriptor *d = &c->value.descriptor;
    const ts_call asked = operator_call(d);
    const char *why = "";
    if (!onnx_translate(&asked, call, &why))
        return export_cannot(f, "%s: %s", d->op->name, why);
    return call->output_fits || export_cannot(f, "its output has no fixed shape");
}
