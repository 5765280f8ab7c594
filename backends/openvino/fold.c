/* SPDX-License-Identifier: Apache-2.0 */
/* MODE_CONST and MODE_CORE: each call is a layer with its own constants, so no model can be used twice; but one model
   can contain the layers of a whole batch. If OpenVINO refuses a model, it is halved until the refused layers are
   alone. A layer whose index would keep others from being executed has a model of its own from the start. */
#include "backends/openvino/openvino.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lists that a model contains already. Layers share them, because the compile time of a model grows with its nodes. */
typedef struct known_lists {
    size_t count;
    struct {
        const layer_list *list;
        ir_node node;
    } at[128];
} known_lists;

static bool find_list(const known_lists *known, const layer_list *list, ir_node *n)
{
    for (size_t i = 0; i < known->count; ++i) {
        const layer_list *other = known->at[i].list;
        if (other->count == list->count && other->scalar == list->scalar &&
            memcmp(other->values, list->values, list->count * sizeof list->values[0]) == 0) {
            *n = known->at[i].node;
            return true;
        }
    }
    return false;
}

static void write_layer(openvino *self, const flight *f, unsigned number, known_lists *known)
{
    ir_model *ir = &self->ir;
    const layer *l = &f->layer;
    ir_node inputs[LAYER_TENSORS + LAYER_LISTS], out;
    char name[32];
    for (unsigned k = 0; k < l->tensor_count; ++k) {
        flight_input_node(f, k, &inputs[k]);
        snprintf(name, sizeof name, "data%u_%u", k, number);
        if (inputs[k].absent)
            continue;
        if (self->mode == MODE_CONST)
            ir_parameter(ir, &inputs[k], name);
        else
            ir_const(ir, &inputs[k], name, f->in[k], (size_t)f->in_bytes[k]);
    }
    for (unsigned k = 0; k < l->list_count; ++k) {
        const layer_list *list = &l->lists[k];
        ir_node *n = &inputs[l->tensor_count + k];
        layer_list_node(list, n);
        snprintf(name, sizeof name, "list%u_%u", k, number);
        if (n->absent || find_list(known, list, n))
            continue;
        ir_const(ir, n, name, list->values, list->count * sizeof list->values[0]);
        if (known->count < sizeof known->at / sizeof *known->at) {
            known->at[known->count].list = list;
            known->at[known->count++].node = *n;
        }
    }
    flight_output_node(f, &out);
    snprintf(name, sizeof name, "layer_%u", number);
    layer_write(l, ir, name, inputs, &out);
    snprintf(name, sizeof name, "output_%u", number);
    ir_result(ir, &out, name);
}

/* Bind the inputs and outputs of all layers. An output without fitting memory is left to OpenVINO, which reports its
   shape. */
static bool bind(openvino *self, ov_request *request, flight *flights, size_t n)
{
    const ov_api *api = &self->api;
    size_t input = 0;
    for (size_t i = 0; i < n; ++i) {
        for (unsigned k = 0; self->mode == MODE_CONST && k < flights[i].layer.tensor_count; ++k) {
            if (!flights[i].layer.in[k])
                continue;
            ov_tensor *tensor = flight_input(self, &flights[i], k);
            bool fine = tensor && api->infer_request_set_input_tensor_by_index(request, input++, tensor) == 0;
            if (tensor)
                api->tensor_free(tensor);
            if (!fine)
                return false;
        }
        ov_tensor *output = flight_output(self, &flights[i]);
        if (output) {
            (void)api->infer_request_set_output_tensor_by_index(request, i, output);
            api->tensor_free(output);
        }
    }
    return true;
}

/* Run one model of n layers. False if OpenVINO refuses it. */
static bool try_model(openvino *self, flight *flights, size_t n)
{
    const ov_api *api = &self->api;
    ov_compiled *compiled;
    ov_request *request;
    known_lists known;
    known.count = 0;
    ir_begin(&self->ir);
    for (size_t i = 0; i < n; ++i)
        write_layer(self, &flights[i], (unsigned)i, &known);
    ir_end(&self->ir);
    bool fine = openvino_compile(self, &compiled, &request);
    fine = fine && bind(self, request, flights, n) && api->infer_request_infer(request) == 0;
    for (size_t i = 0; fine && i < n; ++i) {
        ov_tensor *found = NULL;
        (void)api->infer_request_get_output_tensor_by_index(request, i, &found);
        flight_end(self, &flights[i], found);
        if (found)
            api->tensor_free(found);
    }
    if (request)
        api->infer_request_free(request);
    if (compiled)
        api->compiled_model_free(compiled);
    return fine;
}

static void run_halves(openvino *self, flight *flights, size_t n)
{
    if (n == 0 || try_model(self, flights, n))
        return;
    if (n == 1) {
        flight_refuse(self, flights);
        return;
    }
    run_halves(self, flights, n / 2);
    run_halves(self, flights + n / 2, n - n / 2);
}

bool fold_submit(openvino *self, const ts_call *call, size_t n, ts_status *status)
{
    if (n > self->flight_room) {
        flight *grown = realloc(self->flights, n * sizeof *grown);
        if (!grown)
            return false;
        self->flights = grown;
        self->flight_room = n;
    }
    size_t count = 0, alone = n; /* of flights that share models; the others are at the end */
    scratch_clear(&self->memory);
    for (size_t i = 0; i < n; ++i, call = ts_call_next(call))
        if (flight_begin(self, call, &status[i], &self->flights[count])) {
            if (flight_strays(&self->flights[count]))
                self->flights[--alone] = self->flights[count];
            else
                ++count;
        }
    run_halves(self, self->flights, count);
    for (; alone < n; ++alone) {
        run_halves(self, &self->flights[alone], 1);
        if (self->mode == MODE_CONST) /* the inference after it ends the process: not in a call that is not at fault */
            run_halves(self, &self->flights[alone], 1);
    }
    return true;
}
