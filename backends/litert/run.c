/* SPDX-License-Identifier: Apache-2.0 */
/* Execute calls. Making an interpreter of a model is most of the time, so that the last ones are kept; a model is found
   again by all of its bytes, in which is everything that decides it. */
#include "backends/fetched/strided.h"
#include "backends/litert/litert.h"
#include "backends/litert/node.h"
#include "backends/litert/tflite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MODELS  32
#define PADDING 128 /* behind an input: XNNPACK reads more bytes than there are */
#define POISON  0xA5

typedef struct run_model {
    _Alignas(16) uint8_t bytes[TFLITE_ROOM];
    size_t size; /* 0: empty */
    uint64_t used;
    lrt_model *model;
    lrt_compiled *compiled; /* NULL: LiteRT refuses the model */
    lrt_layout layout;      /* of the output, as LiteRT infers it */
    char why[400];
} run_model;

typedef struct run_memory {
    uint8_t *at; /* aligned to LRT_ALIGNMENT */
    size_t room;
} run_memory;

typedef struct run_cache {
    run_model models[MODELS];
    uint64_t now;
    _Alignas(16) uint8_t wanted[TFLITE_ROOM];
    run_memory in[NODE_INPUTS], out;
} run_cache;

/* ---- models ------------------------------------------------------------------------------------------------------ */

run_cache *run_open(void)
{
    run_cache *c = aligned_alloc(16, (sizeof *c + 15) / 16 * 16);
    if (c)
        memset(c, 0, sizeof *c);
    return c;
}

static void forget(const lrt_api *api, run_model *m)
{
    if (m->compiled)
        api->destroy_compiled(m->compiled);
    if (m->model)
        api->destroy_model(m->model);
    m->compiled = NULL;
    m->model = NULL;
    m->size = 0;
    m->why[0] = '\0';
}

void run_close(litert *self)
{
    run_cache *c = self->cache;
    if (!c)
        return;
    for (unsigned i = 0; i < MODELS; ++i)
        forget(&self->api, &c->models[i]);
    for (unsigned i = 0; i < NODE_INPUTS; ++i)
        free(c->in[i].at);
    free(c->out.at);
    free(c);
}

/* The last error of an interpreter, in one line. */
static void take_words(const lrt_api *api, lrt_compiled *compiled, lrt_status status, char *text, size_t size)
{
    char *words = NULL;
    snprintf(text, size, "LiteRT: status %d", status);
    if (!compiled || api->get_errors(compiled, &words) != 0 || !words)
        return;
    for (char *c = words; *c; ++c)
        if ((unsigned char)*c < ' ')
            *c = ' ';
    if (*words)
        snprintf(text, size, "LiteRT: %.300s", words);
    free(words);
    api->clear_errors(compiled);
}

static void make_model(litert *self, run_model *m)
{
    const lrt_api *api = &self->api;
    lrt_status status = api->create_model(self->environment, m->bytes, m->size, &m->model);
    if (status != 0) {
        snprintf(m->why, sizeof m->why, "LiteRT does not read the model: status %d", status);
        m->model = NULL;
        return;
    }
    status = api->create_compiled(self->environment, m->model, self->options, &m->compiled);
    if (status != 0) {
        snprintf(m->why, sizeof m->why, "LiteRT makes no interpreter of the model: status %d", status);
        m->compiled = NULL;
        return;
    }
    status = api->get_output_layouts(m->compiled, 0, 1, &m->layout, true);
    if (status != 0) {
        take_words(api, m->compiled, status, m->why, sizeof m->why);
        api->destroy_compiled(m->compiled);
        m->compiled = NULL;
    }
}

static run_model *find_model(litert *self, const node *n)
{
    run_cache *c = self->cache;
    run_model *oldest = &c->models[0];
    const size_t size = tflite_write(n, c->wanted);
    for (unsigned i = 0; i < MODELS; ++i) {
        run_model *m = &c->models[i];
        if (m->size == size && memcmp(m->bytes, c->wanted, size) == 0) {
            m->used = ++c->now;
            return m;
        }
        if (m->used < oldest->used)
            oldest = m;
    }
    forget(&self->api, oldest);
    memcpy(oldest->bytes, c->wanted, size);
    oldest->size = size;
    oldest->used = ++c->now;
    make_model(self, oldest);
    return oldest;
}

void run_first(litert *self)
{
    const ts_tensor one = { .dtype = TS_FLOAT32, .rank = 1, .given = TS_GIVEN_ALL, .sizes = { 1 }, .strides = { 1 } };
    const node n = { .operation = NODE_RESHAPE,
                     .options_type = NODE_RESHAPE_OPTIONS,
                     .input_count = 1,
                     .in = { &one },
                     .list_count = 1,
                     .list_sizes = { 1 },
                     .lists = { { 1 } },
                     .out = &one };
    find_model(self, &n);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static uint8_t *make_room(run_memory *memory, uint64_t bytes)
{
    if (memory->at && bytes <= memory->room)
        return memory->at;
    free(memory->at);
    memory->room = (size_t)((bytes + bytes / 2 + LRT_ALIGNMENT) / LRT_ALIGNMENT * LRT_ALIGNMENT);
    memory->at = aligned_alloc(LRT_ALIGNMENT, memory->room);
    if (!memory->at)
        memory->room = 0;
    return memory->at;
}

static lrt_buffer *make_buffer(const lrt_api *api, const ts_tensor *t, uint32_t rank, const uint64_t *sizes,
                               void *memory, uint64_t bytes)
{
    lrt_tensor_type type = { .element = node_type_in_api(t->dtype), .layout = { .rank = rank & 0x7F } };
    lrt_buffer *buffer = NULL;
    for (uint32_t i = 0; i < rank; ++i)
        type.layout.sizes[i] = (int32_t)sizes[i];
    return api->create_buffer(&type, memory, (size_t)bytes, NULL, &buffer) == 0 ? buffer : NULL;
}

/* ---- one call ---------------------------------------------------------------------------------------------------- */

static ts_status reject(litert *self, const char *why)
{
    litert_note(self, why);
    return TS_REJECTED;
}

static ts_status too_large(litert *self)
{
    litert_note(self, "there is not enough memory to pack the tensors");
    return TS_UNSUPPORTED;
}

/* Report the shape that LiteRT inferred. Is it the expected one? */
static bool shape_fits(const node *n, const lrt_layout *found)
{
    uint32_t rank;
    const uint64_t *sizes = node_out_sizes(n, &rank);
    ts_shape *report = n->reshaped ? NULL : n->out->reported;
    bool same = found->rank == rank;
    if (report)
        report->rank = found->rank;
    for (uint32_t i = 0; i < found->rank && i < LRT_DIMS; ++i) {
        same = same && found->sizes[i] >= 0 && (uint64_t)found->sizes[i] == sizes[i];
        if (report)
            report->sizes[i] = (uint64_t)found->sizes[i];
    }
    return same;
}

/* Run the model. The inputs are packed, and the output as well where it has a layout of its own. */
static ts_status execute(litert *self, run_model *m, const node *n, lrt_buffer **buffers)
{
    const lrt_api *api = &self->api;
    run_cache *c = self->cache;
    uint64_t bytes;
    uint32_t rank;
    for (uint32_t i = 0; i < n->input_count; ++i) {
        const ts_tensor *t = n->in[i];
        if (!node_measure(t, &bytes))
            return reject(self, "refused by the adapter: an input exceeds its bytes");
        uint8_t *at = make_room(&c->in[i], bytes + PADDING);
        if (!at)
            return too_large(self);
        if (bytes > 0)
            strided_copy(t, node_element(t->dtype), at, false);
        memset(at + bytes, 0, PADDING);
        const uint64_t *sizes = node_in_sizes(n, i, &rank);
        buffers[i] = make_buffer(api, t, rank, sizes, at, bytes + PADDING);
        if (!buffers[i])
            return reject(self, "LiteRT makes no buffer of an input");
    }
    if (!node_measure(n->out, &bytes))
        return reject(self, "refused by the adapter: the output exceeds its bytes");
    const bool direct = bytes > 0 && strided_is_packed(n->out) && (uintptr_t)n->out->data % LRT_ALIGNMENT == 0;
    uint8_t *out = direct ? n->out->data : make_room(&c->out, bytes + LRT_ALIGNMENT);
    if (!out)
        return too_large(self);
    if (!direct)
        memset(out, POISON, bytes);
    const uint64_t *sizes = node_out_sizes(n, &rank);
    buffers[n->input_count] = make_buffer(api, n->out, rank, sizes, out, direct || bytes > 0 ? bytes : LRT_ALIGNMENT);
    if (!buffers[n->input_count])
        return reject(self, "LiteRT makes no buffer of the output");
    const lrt_status status = api->run(m->compiled, 0, n->input_count, buffers, 1, buffers + n->input_count);
    if (status != 0) {
        char text[400];
        take_words(api, m->compiled, status, text, sizeof text);
        return reject(self, text);
    }
    if (!direct && bytes > 0)
        strided_copy(n->out, node_element(n->out->dtype), out, true);
    return TS_OK;
}

ts_status run_call(litert *self, const ts_call *call)
{
    node n;
    const char *why = "";
    lrt_buffer *buffers[NODE_INPUTS + 1] = { NULL };
    ts_status status = node_make(call->token, call, &n, &why);
    if (status != TS_OK) {
        litert_note(self, why);
        return status;
    }
    run_model *m = find_model(self, &n);
    if (!m->compiled)
        return reject(self, m->why);
    if (!shape_fits(&n, &m->layout))
        return reject(self, "LiteRT infers another shape of the output");
    if (call->flags & TS_CALL_DESCRIPTOR_ONLY)
        return TS_OK;
    status = execute(self, m, &n, buffers);
    for (uint32_t i = 0; i <= n.input_count; ++i)
        if (buffers[i])
            self->api.destroy_buffer(buffers[i]);
    return status;
}
