/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/execute/isolation.h"

#include <stdio.h>

void isolation_begin(isolation *s)
{
    if (!s->environment)
        s->environment = platform_environment_open();
    platform_controls_note(&s->controls);
    s->noted = s->environment && platform_environment_note(s->environment);
}

void isolation_end(isolation *s)
{
    s->changed |= platform_controls_restore(&s->controls);
    if (s->noted)
        s->changed |= platform_environment_restore(s->environment, false);
    s->noted = false;
}

void isolation_close(isolation *s)
{
    platform_environment_close(s->environment);
    s->environment = NULL;
    s->noted = false;
}

bool isolation_call(isolation *s, execute_watchdog *w, void (*f)(void *context), void *context, platform_fault *fault)
{
    platform_controls controls;
    platform_controls_note(&controls);
    const bool fine = watchdog_guarded_call(w, f, context, fault);
    s->changed |= platform_controls_restore(&controls);
    if (s->noted)
        s->changed |= platform_environment_restore(s->environment, true);
    return fine;
}

void isolation_report(isolation *s, chunk *c)
{
    for (unsigned bit = 0; bit < PLATFORM_CHANGES; ++bit) {
        char kind[sizeof c->observations[0].kind];
        if (!((s->changed & ~s->reported) >> bit & 1))
            continue;
        snprintf(kind, sizeof kind, ISOLATION_KIND "%s", platform_change_name(bit));
        chunk_observation *o = chunk_observe(c, kind);
        if (!o)
            return; /* the next chunk may have room */
        o->cases = 1;
        o->example[0] = '\0';
        snprintf(o->detail, sizeof o->detail, "%s",
                 s->environment ? platform_environment_found(s->environment, bit) : "");
        s->reported |= 1u << bit;
    }
}
