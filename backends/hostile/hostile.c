/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A backend that attacks the run, for tests: it hands every call on to another backend (inner=PATH), whose answers are
 * right, and does something hostile in some of the calls. Which calls these are depends on their descriptors alone, so
 * that a case is hostile in every process, alone or among others.
 */
#include "backends/hostile/acts.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct hostile {
    const ts_host *host;
    const act *act, *then; /* one after the other; then: NULL if there is one act */
    const char *later;     /* what is otherwise in each process but the first one; NULL: nothing */
    uint64_t every;        /* one descriptor in so many */
    void *library;
    const ts_backend *inner;
    void *self;
} hostile;

static void do_nothing(const ts_call *call)
{
    (void)call;
}

static const act nothing = { "nothing", "", do_nothing };

static ts_status refuse(const ts_host *host, const char *text)
{
    host->note(host->context, text);
    return TS_REJECTED;
}

static ts_status hostile_open(const ts_host *host, const ts_option *options, size_t count, void **out)
{
    const char *path = NULL, *name = NULL, *later = NULL, *mark = NULL;
    int at_open = 0;
    static hostile one;
    hostile *h = &one;
    *h = (hostile){ .host = host, .every = 50 };
    for (size_t i = 0; i < count; ++i) {
        if (strcmp(options[i].key, "inner") == 0)
            path = options[i].value;
        else if (strcmp(options[i].key, "act") == 0)
            name = options[i].value;
        else if (strcmp(options[i].key, "then") == 0) {
            if (!(h->then = act_find(options[i].value)))
                return refuse(host, "then= is the name of an act; touchstone backends -v lists them");
        } else if (strcmp(options[i].key, "every") == 0)
            h->every = strtoull(options[i].value, NULL, 10);
        else if (strcmp(options[i].key, "later") == 0)
            later = options[i].value;
        else if (strcmp(options[i].key, "mark") == 0)
            mark = options[i].value;
        else if (strcmp(options[i].key, "at") == 0)
            at_open = strcmp(options[i].value, "open") == 0;
        else
            return refuse(host, "the options are inner=PATH, act=NAME, then=NAME, every=N, at=open, later=WHAT and "
                                "mark=PATH");
    }
    if (later && mark && access(mark, F_OK) == 0)
        h->later = later;
    else if (mark)
        close(open(mark, O_CREAT | O_WRONLY, 0600));
    if (h->later && strcmp(h->later, "closed") == 0)
        return refuse(host, "the device is in use");
    if (!path || !name || h->every == 0 || !(h->act = act_find(name)))
        return refuse(host, "inner=PATH of a backend and act=NAME are needed; touchstone backends -v lists the names");
    h->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    touchstone_backend_function get = NULL;
    if (h->library)
        *(void **)&get = dlsym(h->library, "touchstone_backend");
    if (!get || !(h->inner = get(TS_BACKEND_ABI)))
        return refuse(host, "inner is no backend");
    *out = h;
    const ts_status status = h->inner->open(host, NULL, 0, &h->self);
    if (at_open) {
        h->act->run(NULL);
        h->act = &nothing;
    }
    return status;
}

static void hostile_close(void *self)
{
    hostile *h = self;
    h->inner->close(h->self);
}

static ts_status hostile_info(void *self, ts_info *info)
{
    hostile *h = self;
    ts_status status = h->inner->info(h->self, info);
    snprintf(info->name, sizeof info->name, "hostile");
    snprintf(info->driver, sizeof info->driver, "%s", h->act->name);
    if (h->later && strcmp(h->later, "alignment") == 0)
        info->buffer_alignment = 64;
    if (h->later && strcmp(h->later, "level") == 0)
        info->highest_level = TS_LEVEL_2_0;
    return status;
}

/* Fail by what an act has left behind, if it is one of these. */
static void meet(left_behind pointer, left_behind lock, left_behind end)
{
    if (acts_left == pointer)
        raise(SIGSEGV);
    while (acts_left == lock)
        pause();
    if (acts_left == end)
        _exit(3);
}

static ts_status hostile_query(void *self, const ts_call *shape, void **token)
{
    hostile *h = self;
    meet(LEFT_POINTER, LEFT_LOCK, LEFT_EXIT);
    if (h->later && strcmp(h->later, "no") == 0 && ts_call_tensor(shape, 0)->dtype == TS_UINT8)
        return TS_UNSUPPORTED;
    return h->inner->query(h->self, shape, token);
}

static void mix(uint64_t *hash, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; ++i)
        *hash = (*hash ^ at[i]) * UINT64_C(1099511628211);
}

static int is_hostile(const hostile *h, const ts_call *call)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    mix(&hash, call->op, strlen(call->op));
    if (call->attrs)
        mix(&hash, call->attrs, call->attrs_size);
    for (uint32_t i = 0; i < call->tensor_count; ++i) {
        const ts_tensor *t = ts_call_tensor(call, i);
        mix(&hash, &t->dtype, sizeof t->dtype);
        mix(&hash, t->sizes, sizeof t->sizes);
        mix(&hash, t->strides, sizeof t->strides);
    }
    return (hash >> 20) % h->every == 0;
}

static ts_status hostile_submit(void *self, const ts_call *calls, size_t n, ts_status *status)
{
    hostile *h = self;
    ts_status all = h->inner->submit(h->self, calls, n, status);
    for (size_t i = 0; i < n; ++i) {
        const ts_call *next = ts_call_next(calls); /* before the act may overwrite it */
        meet(LEFT_CALL_POINTER, LEFT_CALL_LOCK, LEFT_CALL_EXIT);
        if (acts_left == LEFT_CALL_LOSS) {
            acts_left = LEFT_NOTHING;
            status[i] = TS_LOST;
        }
        if (is_hostile(h, calls)) {
            h->act->run(calls);
            if (h->then)
                h->then->run(calls);
        }
        calls = next;
    }
    return all;
}

static const char *hostile_options(void)
{
    static char text[8192];
    size_t used = (size_t)snprintf(text, sizeof text,
                                   "inner=PATH  the backend that answers\n"
                                   "then=ACT  a second act in the same calls\n"
                                   "every=N  hostile in one descriptor of N (default 50)\n"
                                   "at=open  hostile in open instead: acts about the environment alone\n"
                                   "mark=PATH  a file that the first process makes\n"
                                   "later=WHAT  otherwise in each process that finds it: closed, alignment, level or "
                                   "no (of UINT8)\n");
    for (const act *a = acts; a->name && used < sizeof text; ++a)
        used += (size_t)snprintf(text + used, sizeof text - used, "act=%s  %s\n", a->name, a->does);
    return text;
}

static const ts_backend backend = {
    .struct_size = sizeof(ts_backend),
    .abi = TS_BACKEND_ABI,
    .open = hostile_open,
    .close = hostile_close,
    .info = hostile_info,
    .query = hostile_query,
    .submit = hostile_submit,
    .describe_options = hostile_options,
    .summary = "for tests of the suite: another backend that does something hostile in some of its calls",
};

const ts_backend *touchstone_backend(uint32_t abi)
{
    return abi == TS_BACKEND_ABI ? &backend : NULL;
}
