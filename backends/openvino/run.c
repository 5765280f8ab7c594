/* SPDX-License-Identifier: Apache-2.0 */
/* MODE_RUN: a model per layer without sizes and lists, which are passed at run time. Compiling a model takes as long as
   a thousand inferences, so the most recently used models are cached. */
#include "backends/openvino/openvino.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MODELS     512  /* models in the cache; each takes some hundred KiB */
#define TABLE_SIZE 2048 /* a power of two, never more than a quarter full */

/* The key of a model. It is compared as bytes, so zero it first. */
typedef struct run_key {
    const char *type, *opset;
    char attributes[LAYER_ATTRIBUTES];
    int64_t batch_dims;
    uint32_t has_batch_dims;
    uint32_t out_dtype;
    uint32_t dtype[LAYER_TENSORS], rank[LAYER_TENSORS];
    uint32_t count[LAYER_LISTS]; /* ~0: absent */
    uint32_t has_axis;
    int64_t axis;
    uint64_t tuple;
    int64_t scalar;  /* a constant of the model */
    uint32_t strays; /* a model of calls with an index beyond the range: after one of them, no inference of
                        the model writes its output */
    uint8_t mask_count[LAYER_MASKS], masks[LAYER_MASKS][LAYER_STEPS];
} run_key;

typedef struct run_model {
    run_key key;
    uint64_t used; /* time of the last use; 0: the place is free */
    ov_compiled *compiled;
    ov_request *request; /* NULL: OpenVINO refuses the layer */
    ov_request *asking;  /* a second request, whose output OpenVINO allocates; NULL until it is needed */
    char why[400];
    int64_t lists[LAYER_LISTS][LAYER_STEPS];
} run_model;

typedef struct run_cache {
    uint64_t now;
    size_t count;
    run_model models[MODELS];
    uint16_t table[TABLE_SIZE]; /* 1 + index of a model; 0: none */
} run_cache;

run_cache *run_open(void)
{
    return calloc(1, sizeof(run_cache));
}

static void drop(openvino *self, run_model *m)
{
    if (m->request)
        self->api.infer_request_free(m->request);
    if (m->asking)
        self->api.infer_request_free(m->asking);
    if (m->compiled)
        self->api.compiled_model_free(m->compiled);
    memset(m, 0, sizeof *m);
}

void run_close(openvino *self)
{
    for (size_t i = 0; self->cache && i < self->cache->count; ++i)
        drop(self, &self->cache->models[i]);
    free(self->cache);
    self->cache = NULL;
}

/* ---- finding a model --------------------------------------------------------------------------------------------- */

static void make_key(const flight *f, run_key *key)
{
    const layer *l = &f->layer;
    memset(key, 0, sizeof *key);
    key->strays = flight_strays(f);
    key->type = l->type;
    key->opset = l->opset;
    memcpy(key->attributes, l->attributes, sizeof key->attributes);
    key->has_batch_dims = l->has_batch_dims;
    if (l->has_batch_dims)
        key->batch_dims = l->batch_dims;
    key->out_dtype = l->out->dtype;
    key->tuple = l->tuple;
    key->has_axis = l->has_axis;
    if (l->has_axis)
        key->axis = l->axis;
    for (unsigned k = 0; k < l->tensor_count; ++k) {
        key->dtype[k] = l->in[k] ? l->in[k]->dtype : UINT32_MAX;
        key->rank[k] = l->in[k] ? l->in[k]->rank - l->drop[k] : 0;
    }
    for (unsigned k = 0; k < LAYER_LISTS; ++k) {
        const layer_list *list = &l->lists[k];
        key->count[k] = k >= l->list_count || list->absent ? UINT32_MAX : list->count;
        if (k < l->list_count && list->scalar)
            key->scalar = list->values[0];
    }
    for (unsigned k = 0; k < LAYER_MASKS; ++k) {
        key->mask_count[k] = l->mask_given[k] ? (uint8_t)(l->mask_counts[k] + 1) : 0;
        memcpy(key->masks[k], l->masks[k], sizeof l->masks[k]);
    }
}

static size_t hash_of(const run_key *key)
{
    uint64_t h = 0, word;
    const char *bytes = (const char *)key;
    for (size_t i = 0; i < sizeof *key; i += sizeof word) {
        const size_t rest = sizeof *key - i;
        word = 0;
        memcpy(&word, bytes + i, rest < sizeof word ? rest : sizeof word);
        h = (h ^ word) * UINT64_C(0x9E3779B97F4A7C15);
        h ^= h >> 29;
    }
    return (size_t)(h & (TABLE_SIZE - 1));
}

static void fill_table(run_cache *c)
{
    memset(c->table, 0, sizeof c->table);
    for (size_t i = 0; i < c->count; ++i) {
        size_t at = hash_of(&c->models[i].key);
        while (c->table[at])
            at = (at + 1) & (TABLE_SIZE - 1);
        c->table[at] = (uint16_t)(i + 1);
    }
}

/* The place for a new model: a free one, or that of the least recently used model. */
static run_model *make_room(openvino *self)
{
    run_cache *c = self->cache;
    if (c->count < MODELS)
        return &c->models[c->count++];
    run_model *oldest = &c->models[0];
    for (size_t i = 1; i < MODELS; ++i)
        if (c->models[i].used < oldest->used)
            oldest = &c->models[i];
    drop(self, oldest);
    return oldest;
}

/* ---- making a model ---------------------------------------------------------------------------------------------- */

static void write_model(openvino *self, const flight *f)
{
    ir_model *ir = &self->ir;
    const layer *l = &f->layer;
    ir_node inputs[LAYER_TENSORS + LAYER_LISTS], out;
    char name[16];
    ir_begin(ir);
    for (unsigned k = 0; k < l->tensor_count; ++k) {
        flight_input_node(f, k, &inputs[k]);
        for (uint32_t i = 0; i < inputs[k].rank; ++i)
            inputs[k].dims[i] = k == 1 && l->tuple && i + 1 == inputs[k].rank ? (int64_t)l->tuple : -1;
        snprintf(name, sizeof name, "data%u", k);
        if (!inputs[k].absent)
            ir_parameter(ir, &inputs[k], name);
    }
    for (unsigned k = 0; k < l->list_count; ++k) {
        ir_node *n = &inputs[l->tensor_count + k];
        layer_list_node(&l->lists[k], n);
        snprintf(name, sizeof name, "list%u", k);
        if (!n->absent && l->lists[k].scalar)
            ir_const(ir, n, name, l->lists[k].values, sizeof l->lists[k].values[0]);
        else if (!n->absent)
            ir_parameter(ir, n, name);
    }
    flight_output_node(f, &out);
    layer_write(l, ir, "layer", inputs, &out);
    ir_result(ir, &out, "output");
    ir_end(ir);
}

/* Bind the lists; the model owns their memory. */
static bool bind_lists(openvino *self, ov_request *request, run_model *m, const layer *l)
{
    const ov_api *api = &self->api;
    bool fine = true;
    size_t input = 0;
    for (unsigned k = 0; k < l->tensor_count; ++k)
        input += l->in[k] != NULL;
    for (unsigned k = 0; k < l->list_count && fine; ++k) {
        if (l->lists[k].absent || l->lists[k].scalar)
            continue;
        int64_t count = l->lists[k].count;
        const ov_shape shape = { .rank = 1, .dims = &count };
        ov_tensor *tensor = NULL;
        fine = api->tensor_create_from_host_ptr(OV_I64, shape, m->lists[k], &tensor) == 0 &&
               api->infer_request_set_input_tensor_by_index(request, input, tensor) == 0;
        if (tensor)
            api->tensor_free(tensor);
        ++input;
    }
    return fine;
}

static run_model *find_model(openvino *self, const flight *f)
{
    run_cache *c = self->cache;
    run_key key;
    make_key(f, &key);
    size_t at = hash_of(&key);
    for (; c->table[at]; at = (at + 1) & (TABLE_SIZE - 1)) {
        run_model *m = &c->models[c->table[at] - 1];
        if (memcmp(&m->key, &key, sizeof key) == 0) {
            m->used = ++c->now;
            return m;
        }
    }
    write_model(self, f);
    run_model *m = make_room(self);
    m->key = key;
    m->used = ++c->now;
    fill_table(c);
    if (openvino_compile(self, &m->compiled, &m->request) && !bind_lists(self, m->request, m, &f->layer)) {
        self->api.infer_request_free(m->request);
        m->request = NULL;
    }
    if (!m->request)
        openvino_words(self, m->why, sizeof m->why);
    return m;
}

/* ---- running it -------------------------------------------------------------------------------------------------- */

/* Bind the inputs that differ from call to call. OpenVINO may refuse an input here. */
static bool bind(openvino *self, ov_request *request, run_model *m, const flight *f)
{
    const ov_api *api = &self->api;
    size_t input = 0;
    for (unsigned k = 0; k < f->layer.tensor_count; ++k) {
        if (!f->layer.in[k])
            continue;
        ov_tensor *tensor = flight_input(self, f, k);
        bool fine = tensor && api->infer_request_set_input_tensor_by_index(request, input, tensor) == 0;
        if (tensor)
            api->tensor_free(tensor);
        if (!fine)
            return false;
        ++input;
    }
    for (unsigned k = 0; k < f->layer.list_count; ++k)
        if (!f->layer.lists[k].absent)
            memcpy(m->lists[k], f->layer.lists[k].values, f->layer.lists[k].count * sizeof m->lists[k][0]);
    return true;
}

/* Run the model with an output that OpenVINO allocates, to learn its shape. NULL if OpenVINO refuses it. */
static ov_tensor *ask(openvino *self, run_model *m, const flight *f)
{
    const ov_api *api = &self->api;
    ov_tensor *found = NULL;
    if (!m->asking && (api->compiled_model_create_infer_request(m->compiled, &m->asking) ||
                       !bind_lists(self, m->asking, m, &f->layer)))
        return NULL;
    if (!bind(self, m->asking, m, f) || api->infer_request_infer(m->asking) ||
        api->infer_request_get_output_tensor_by_index(m->asking, 0, &found))
        return NULL;
    return found;
}

/* Run the model with an output in the memory of the flight. False if OpenVINO refuses it; otherwise *found is the
   output. */
static bool run_into_place(openvino *self, run_model *m, const flight *f, ov_tensor **found)
{
    const ov_api *api = &self->api;
    ov_tensor *output = flight_output(self, f);
    bool fine = output && bind(self, m->request, m, f) &&
                api->infer_request_set_output_tensor_by_index(m->request, 0, output) == 0 &&
                api->infer_request_infer(m->request) == 0 &&
                api->infer_request_get_output_tensor_by_index(m->request, 0, found) == 0;
    if (output)
        api->tensor_free(output);
    return fine;
}

/* The first bytes of the output. If they are unchanged, perhaps nothing was written. */
static uint64_t first_bytes(const flight *f)
{
    uint64_t bytes = 0;
    memcpy(&bytes, f->out, f->out_bytes < sizeof bytes ? f->out_bytes : sizeof bytes);
    return bytes;
}

/* If the output's memory is too small, OpenVINO reports no error but the shape of that memory, and writes nothing. So
   calls that look like this, and descriptor-only calls, run again without bound memory. */
static void run_model_of(openvino *self, run_model *m, flight *f)
{
    ov_tensor *found = NULL, *asked = NULL;
    bool placed = f->out && f->out_bytes > 0 && f->layer.out->data, fine = false, same = false;
    char why[400] = "";
    if (placed) {
        const uint64_t before = first_bytes(f);
        fine = run_into_place(self, m, f, &found);
        if (!fine)
            openvino_words(self, why, sizeof why);
        placed = fine && first_bytes(f) != before;
    }
    if (!placed)
        asked = ask(self, m, f);
    if (asked && *why && flight_fits(self, f, asked, &same) && same) {
        *f->status = TS_REJECTED; /* the shape is right, but only if OpenVINO allocates the memory */
        openvino_note(self, why);
    } else if (asked && fine && flight_fits(self, f, asked, &same) && same) {
        flight_end(self, f, found);
    } else if (placed) {
        flight_end(self, f, found);
    } else if (asked) {
        flight_end(self, f, asked);
    } else {
        flight_refuse(self, f);
    }
    if (found)
        self->api.tensor_free(found);
    if (asked)
        self->api.tensor_free(asked);
}

void run_submit(openvino *self, const ts_call *call, ts_status *status)
{
    flight f;
    scratch_clear(&self->memory);
    if (!flight_begin(self, call, status, &f))
        return;
    run_model *m = find_model(self, &f);
    if (m->request) {
        run_model_of(self, m, &f);
        return;
    }
    *status = TS_REJECTED;
    openvino_note(self, m->why);
}
