/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/suggest_text.h"

#include "harness/base/did_you_mean.h"
#include "harness/model/descriptor.h"
#include "harness/model/suggest_apply.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct writer {
    const ts_descriptor *d;
    char *buf;
    size_t size, used;
} writer;

static void say(writer *w, const char *format, ...) TS_PRINTF(2, 3);

static void say(writer *w, const char *format, ...)
{
    va_list args;
    if (w->used + 1 >= w->size)
        return;
    va_start(args, format);
    const int n = vsnprintf(w->buf + w->used, w->size - w->used, format, args);
    va_end(args);
    if (n > 0)
        w->used += (size_t)n < w->size - w->used ? (size_t)n : w->size - w->used - 1;
}

/* ---- tensors ----------------------------------------------------------------------------------------------------- */

/* "A, B and C", each with the field behind it. */
static void say_tensors(writer *w, uint32_t tensors, const char *field)
{
    unsigned left = 0;
    for (unsigned k = 0; k < w->d->op->tensor_count; ++k)
        left += tensors >> k & 1;
    for (unsigned k = 0; k < w->d->op->tensor_count; ++k) {
        if (!(tensors >> k & 1))
            continue;
        say(w, "%s%s%s", w->d->op->tensors[k].name, field, left > 2 ? ", " : left == 2 ? " and " : "");
        --left;
    }
}

static void say_list(writer *w, uint32_t rank, const uint64_t *sizes)
{
    const bool square = w->d->op->openvino_types;
    say(w, square ? "[" : "{");
    for (uint32_t i = 0; i < rank; ++i)
        say(w, "%s%" PRIu64, i ? "," : "", sizes[i]);
    say(w, square ? "]" : "}");
}

static void say_shape(writer *w, const suggest_edit *edit)
{
    say_tensors(w, edit->tensors, w->d->op->openvino_types ? ".shape" : ".Sizes");
    say(w, " = ");
    say_list(w, edit->shape.rank, edit->shape.sizes);
    if (edit->strided) {
        say(w, " with Strides ");
        say_list(w, edit->shape.rank, edit->shape.strides);
    }
}

static void say_types(writer *w, const suggest_edit *edit)
{
    say_tensors(w, edit->tensors, "");
    say(w, " of type ");
    for (unsigned i = 0; i < edit->count; ++i)
        say(w, "%s%s",
            i == 0                ? ""
            : i + 1 < edit->count ? ", "
                                  : " or ",
            operator_dtype_name(w->d->op, (uint32_t)edit->values[i]));
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static void say_signed(writer *w, int64_t value, const suggest_edit *edit)
{
    (void)edit;
    say(w, "%" PRId64, value);
}

static void say_unsigned(writer *w, int64_t value, const suggest_edit *edit)
{
    (void)edit;
    say(w, "%" PRIu64, (uint64_t)value);
}

/* A value of an attribute, with its name where it has one. */
static void say_named(writer *w, int64_t value, const suggest_edit *edit)
{
    ts_descriptor changed = *w->d;
    suggest_edit one = *edit;
    char text[512];
    one.kind = SUGGEST_ATTR;
    if (edit->kind == SUGGEST_ATTR_GIVEN)
        suggest_apply_edit(&changed, edit, value);
    if (suggest_apply_edit(&changed, &one, value))
        say(w, "%s", descriptor_attr_text(&changed, edit->attr, edit->index, text, sizeof text));
    else
        say(w, "%" PRId64, value);
}

static void say_values(writer *w, const suggest_edit *edit, void (*one)(writer *, int64_t, const suggest_edit *))
{
    for (unsigned i = 0; i < edit->count && edit->span == SUGGEST_LIST; ++i) {
        say(w, "%s", i == 0 ? "" : i + 1 < edit->count ? ", " : " or ");
        one(w, edit->values[i], edit);
    }
    if (edit->span == SUGGEST_LIST)
        return;
    one(w, edit->values[0], edit);
    if (edit->span == SUGGEST_OR_MORE) {
        say(w, " or more");
        return;
    }
    say(w, " to ");
    one(w, edit->values[1], edit);
}

static void say_dims(writer *w, const suggest_edit *edit)
{
    say_tensors(w, edit->tensors, "");
    say(w, " of ");
    say_values(w, edit, say_unsigned);
    say(w, " dimension%s", edit->count == 1 && edit->values[0] == 1 ? "" : "s");
}

static void say_leading(writer *w, const suggest_edit *edit)
{
    const int64_t ones = edit->values[0];
    const bool all = edit->tensors == (UINT32_C(1) << w->d->op->tensor_count) - 1;
    if (ones == 1)
        say(w, "one leading 1 more in the sizes of ");
    else
        say(w, "%" PRId64 " leading 1s more in the sizes of ", ones);
    if (all)
        say(w, "every tensor");
    else
        say_tensors(w, edit->tensors, "");
}

static void say_flags(writer *w, const suggest_edit *edit)
{
    say_tensors(w, edit->tensors, ".Flags");
    for (unsigned i = 0; i < edit->count; ++i)
        say(w, "%s%s", i == 0 ? " = " : " or ",
            edit->values[i] == 0 ? "DML_TENSOR_FLAG_NONE" : "DML_TENSOR_FLAG_OWNED_BY_DML");
}

/* ---- attributes -------------------------------------------------------------------------------------------------- */

/* What the value of an attribute is. */
static void say_kind(writer *w, const ts_attr_decl *a)
{
    static const char *const kinds[] = {
        [TS_ATTR_U32] = "integer", [TS_ATTR_I32] = "integer", [TS_ATTR_I64] = "integer",  [TS_ATTR_BIT] = "0 or 1",
        [TS_ATTR_BOOL] = "0 or 1", [TS_ATTR_F32] = "number",  [TS_ATTR_UNION] = "number",
    };
    const char *kind = a->type == TS_ATTR_OPERATOR ? "operator" : kinds[a->type];
    if (a->names)
        for (unsigned i = 0; a->names[i]; ++i)
            say(w, "%s%s", i ? " or " : "", a->names[i]);
    else if (a->count == TS_SCALAR)
        say(w, "%s%s", *kind == '0' ? "" : strchr("aeio", *kind) ? "an " : "a ", kind);
    else
        say(w, "a %s of %ss", a->count == TS_RECORD ? "record" : "list", *kind == '0' ? "bit" : kind);
}

/* What a missing attribute may be; where that is many, an example. */
static void say_given(writer *w, const suggest_edit *edit)
{
    const ts_attr_decl *a = &w->d->op->attrs[edit->attr];
    ts_descriptor changed = *w->d;
    char text[512];
    say(w, "%s stated, as ", a->name);
    say_kind(w, a);
    if (a->names || (a->count == TS_SCALAR && (a->type == TS_ATTR_BIT || a->type == TS_ATTR_BOOL)) ||
        !suggest_apply_edit(&changed, edit, edit->values[0]))
        return;
    say(w, a->count == TS_SCALAR ? ", such as " : ", such as {");
    for (unsigned i = 0; i < operator_attr_count(&changed, edit->attr); ++i)
        say(w, "%s%s", i ? "," : "", descriptor_attr_text(&changed, edit->attr, i, text, sizeof text));
    say(w, a->count == TS_SCALAR ? "" : "}");
}

static void say_element(writer *w, const suggest_edit *edit)
{
    const ts_attr_decl *a = &w->d->op->attrs[edit->attr];
    say(w, "%s", a->name);
    if (a->count == TS_ARRAY)
        say(w, "[%u]", edit->index);
    else if (a->count == TS_RECORD)
        say(w, ".%s", a->members[edit->index]);
}

/* The operators that may be nested. */
static void say_nested(writer *w, const suggest_edit *edit)
{
    const ts_attr_decl *a = &w->d->op->attrs[edit->attr];
    char text[440] = "", name[64];
    did_you_mean_list list = { .text = text, .size = sizeof text };
    for (unsigned i = 0; i < edit->count; ++i) {
        const ts_operator *op = a->operators[edit->values[i] - 1];
        snprintf(name, sizeof name, "%.*s", (int)descriptor_stem_length(op), op->title + strlen("DML_"));
        did_you_mean_list_add(&list, name, edit->count - i - 1);
    }
    say(w, "a Type of %s", text);
}

static void say_attr(writer *w, const suggest_edit *edit)
{
    const ts_attr_decl *a = &w->d->op->attrs[edit->attr];
    switch (edit->kind) {
    case SUGGEST_NO_ATTR: say(w, "no %s", a->name); return;
    case SUGGEST_ATTR_GIVEN: say_given(w, edit); return;
    case SUGGEST_COUNT: say(w, "%s = %" PRId64 ", and lists of this length", a->name, edit->values[0]); return;
    case SUGGEST_LENGTH:
        say(w, "%s with %" PRId64 " value%s", a->name, edit->values[0], edit->values[0] == 1 ? "" : "s");
        return;
    case SUGGEST_COMPLETE:
        say_element(w, edit);
        say(w, " with all of its attributes and no tensor");
        return;
    case SUGGEST_NESTED: say_nested(w, edit); return;
    case SUGGEST_NESTED_LESS: {
        const ts_nested_operator nested = operator_nested(w->d, edit->attr, edit->index);
        ts_descriptor inner;
        if (!operator_of_nested(&inner, a, &nested))
            return;
        say_element(w, edit);
        say(w, " without %s", inner.op->attrs[edit->values[0]].name);
        return;
    }
    default: break;
    }
    say_element(w, edit);
    say(w, " = ");
    say_values(w, edit, a->names || a->type == TS_ATTR_F32 || a->type == TS_ATTR_UNION ? say_named : say_signed);
}

static void say_edit(writer *w, const suggest_edit *edit)
{
    char field[48];
    switch (edit->kind) {
    case SUGGEST_TYPE: say_types(w, edit); return;
    case SUGGEST_SIZE:
        snprintf(field, sizeof field, ".%s[%u]", w->d->op->openvino_types ? "shape" : "Sizes", edit->index);
        say_tensors(w, edit->tensors, field);
        break;
    case SUGGEST_DIMS: say_dims(w, edit); return;
    case SUGGEST_LEADING: say_leading(w, edit); return;
    case SUGGEST_SHAPE: say_shape(w, edit); return;
    case SUGGEST_FIT:
        say_tensors(w, edit->tensors, w->d->op->openvino_types ? "" : ".Sizes");
        say(w, " to fit");
        return;
    case SUGGEST_PACKED:
        say(w, "no ");
        say_tensors(w, edit->tensors, ".Strides");
        return;
    case SUGGEST_BYTES: say_tensors(w, edit->tensors, ".TotalTensorSizeInBytes"); break;
    case SUGGEST_ALIGNMENT: say_tensors(w, edit->tensors, ".GuaranteedBaseOffsetAlignment"); break;
    case SUGGEST_FLAGS: say_flags(w, edit); return;
    case SUGGEST_TENSOR:
        say_tensors(w, edit->tensors, "");
        say(w, " stated, as a data type and sizes, such as %s ",
            operator_dtype_name(w->d->op, (uint32_t)edit->values[0]));
        say_list(w, edit->shape.rank, edit->shape.sizes);
        return;
    case SUGGEST_NO_TENSOR:
        say(w, "no ");
        say_tensors(w, edit->tensors, "");
        return;
    case SUGGEST_LEVEL: say(w, "feature level %s or higher", tensor_level_name((ts_level)edit->values[0])); return;
    case SUGGEST_VALUES:
        say_tensors(w, edit->tensors, ".");
        say(w, "%s with %" PRId64 " value%s", edit->text, edit->values[0], edit->values[0] == 1 ? "" : "s");
        return;
    case SUGGEST_BINDING: say(w, "%s", edit->text); return;
    default: say_attr(w, edit); return;
    }
    say(w, " = ");
    say_values(w, edit, say_unsigned);
}

void suggest_text(const ts_descriptor *d, const ts_suggestion *s, char *buf, size_t size)
{
    writer w = { .d = d, .buf = buf, .size = size };
    buf[0] = 0;
    for (unsigned i = 0; i < s->count; ++i) {
        const suggest_option *option = &s->options[i];
        say(&w, "%s", i == 0 || option->count == 0 ? "" : ", or ");
        for (unsigned j = 0; j < option->count; ++j) {
            say(&w, "%s", j == 0 ? "" : option->edits[j].kind == SUGGEST_FIT ? ", and " : " and ");
            say_edit(&w, &option->edits[j]);
        }
    }
}
