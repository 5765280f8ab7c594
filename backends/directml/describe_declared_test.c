/* SPDX-License-Identifier: Apache-2.0 */
/* The structures are those of DirectML.h, written down here by hand. */
#include "backends/directml/describe_declared.h"

#include "reference/operators.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

typedef struct convolution {
    const DML_TENSOR_DESC *InputTensor, *FilterTensor, *BiasTensor, *OutputTensor;
    uint32_t Mode, Direction, DimensionCount;
    const uint32_t *Strides, *Dilations, *StartPadding, *EndPadding, *OutputPadding;
    uint32_t GroupCount;
    const DML_OPERATOR_DESC *FusedActivation;
} convolution;

typedef struct elu {
    const DML_TENSOR_DESC *InputTensor, *OutputTensor;
    float Alpha;
} elu;

typedef struct clip1 {
    const DML_TENSOR_DESC *InputTensor, *OutputTensor;
    const float *ScaleBias;
    uint32_t MinMaxDataType;
    uint64_t Min, Max;
} clip1;

typedef struct split {
    const DML_TENSOR_DESC *InputTensor;
    uint32_t OutputCount;
    const DML_TENSOR_DESC *OutputTensors;
    uint32_t Axis;
} split;

typedef struct upsample_2d {
    const DML_TENSOR_DESC *InputTensor, *OutputTensor;
    uint32_t Width, Height, InterpolationMode;
} upsample_2d;

static void begin(ts_descriptor *d, const char *name)
{
    const ts_operator *op = operators_find_known(name);
    assert_non_null(op);
    memset(d, 0, sizeof *d);
    d->op = op;
    for (unsigned k = 0; k < op->tensor_count; ++k)
        tensor_init(&d->tensors[k], TS_FLOAT32, 4, (const uint64_t[]){ 1, 2, 3, k + 1 });
}

static void set(ts_descriptor *d, const char *name, const int64_t *values, size_t n)
{
    const int k = operator_attr_index(d->op, name);
    assert_true(k >= 0 && operator_set_attr(d, (unsigned)k, values, n));
}

static void set_one(ts_descriptor *d, const char *name, int64_t value)
{
    set(d, name, &value, 1);
}

static ts_status describe(const ts_descriptor *d, declared_room *room)
{
    const ts_call call = operator_call(d);
    return declared_call(&call, room);
}

static void fields_are_where_directml_has_them(void **state)
{
    static const int64_t twos[] = { 2, 3 };
    ts_descriptor d;
    declared_room room;
    const ts_nested_operator fused = { .op = 2, .attrs_given = 1, .values = { 0x3f000000 } };
    (void)state;
    begin(&d, "dml.convolution");
    assert_int_equal(describe(&d, &room), TS_UNSUPPORTED); /* Mode cannot be absent */
    set_one(&d, "Mode", 1);
    set_one(&d, "Direction", 0);
    set(&d, "Strides", twos, 2);
    set(&d, "EndPadding", twos, 2);
    set_one(&d, "GroupCount", 7);
    d.tensors[2].given = 0;
    const int k = operator_attr_index(d.op, "FusedActivation");
    assert_true(operator_set_nested(&d, (unsigned)k, &fused, 1));
    assert_int_equal(describe(&d, &room), TS_OK);
    assert_int_equal(room.desc.Type, 53);
    const convolution *c = room.desc.Desc;
    assert_ptr_equal(c->OutputTensor, &room.tensors.tensors[3]);
    assert_null(c->BiasTensor);
    assert_int_equal(c->Mode, 1);
    assert_int_equal(c->DimensionCount, 2);
    assert_int_equal(c->Strides[1], 3);
    assert_null(c->Dilations);
    assert_int_equal(c->EndPadding[0], 2);
    assert_int_equal(c->GroupCount, 7);
    assert_string_equal(d.op->attrs[k].operators[1]->name, "dml.activation_elu");
    assert_int_equal(c->FusedActivation->Type, 35);
    const elu *e = c->FusedActivation->Desc;
    assert_null(e->InputTensor);
    assert_true(e->Alpha == 0.5f);
}

static void values_of_every_kind(void **state)
{
    ts_descriptor d;
    declared_room room;
    (void)state;
    begin(&d, "dml.element_wise_clip1");
    set_one(&d, "MinMaxDataType", TS_INT64);
    set_one(&d, "Min", -3);
    set_one(&d, "Max", INT64_MAX);
    assert_int_equal(describe(&d, &room), TS_OK);
    const clip1 *c = room.desc.Desc;
    assert_null(c->ScaleBias);
    assert_int_equal(c->MinMaxDataType, TS_INT64);
    assert_true(c->Min == (uint64_t)-3 && c->Max == INT64_MAX);
    set(&d, "ScaleBias", (const int64_t[]){ 0x40000000, 0x3f800000 }, 2);
    assert_int_equal(describe(&d, &room), TS_OK);
    assert_true(c->ScaleBias[0] == 2.0f && c->ScaleBias[1] == 1.0f);

    begin(&d, "dml.split");
    set_one(&d, "OutputCount", 2);
    set_one(&d, "Axis", 3);
    assert_int_equal(describe(&d, &room), TS_OK);
    const split *s = room.desc.Desc;
    assert_int_equal(s->OutputCount, 2);
    assert_int_equal(((const DML_BUFFER_TENSOR_DESC *)s->OutputTensors[1].Desc)->Sizes[3], 3);
    assert_int_equal(s->Axis, 3);

    begin(&d, "dml.upsample_2d");
    set(&d, "ScaleSize", (const int64_t[]){ 5, 6 }, 2);
    set_one(&d, "InterpolationMode", 1);
    assert_int_equal(describe(&d, &room), TS_OK);
    const upsample_2d *u = room.desc.Desc;
    assert_int_equal(u->Width, 5);
    assert_int_equal(u->Height, 6);
    assert_int_equal(u->InterpolationMode, 1);
}

/* Every declaration has all fields of its structure in their order, and a structure has room for them. */
static void every_operator_can_be_described(void **state)
{
    const ts_operator *op;
    (void)state;
    for (size_t i = 0; (op = operators_known(i)); ++i) {
        ts_descriptor d;
        declared_room room;
        ts_call call;
        begin(&d, op->name);
        for (unsigned k = 0; k < op->attr_count; ++k) {
            const ts_nested_operator fused = { .op = 3, .attrs_given = 1 };
            static const int64_t zeros[TS_MAX_DIMS];
            if (op->attrs[k].type == TS_ATTR_OPERATOR)
                assert_true(operator_set_nested(&d, k, &fused, 1));
            else
                assert_true(operator_set_attr(&d, k, zeros, op->attrs[k].count == TS_RECORD ? 2 : 1));
        }
        call = operator_call(&d);
        if (declared_call(&call, &room) != (operators_declared(op) ? TS_OK : TS_UNSUPPORTED))
            fail_msg("%s", op->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_where_directml_has_them),
        cmocka_unit_test(values_of_every_kind),
        cmocka_unit_test(every_operator_can_be_described),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
