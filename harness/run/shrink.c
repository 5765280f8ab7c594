/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/shrink.h"

#include "harness/base/platform.h"
#include "harness/run/shrink_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The question that the current request answers. */
typedef enum step {
    STEP_ALONE,   /* does the case fail alone in a new process, and how? */
    STEP_CONVERT, /* does the same call fail as a case of a drawn test? */
    STEP_SIMPLER, /* which simpler case fails? Both in any process: whether it fails alone, the next step shows */
    STEP_DESCRIBE /* does the smallest fail alone, too, and what differs? */
} step;

/* One case while it is shrunk. */
typedef struct shrinking {
    replay t; /* the first member, so that a replay can be cast to its shrinking */
    const shrink_setup *setup;
    shrink_case *subject;
    shrink_frame frame;
    shrink_point first, now; /* the case itself, and the smallest one that fails */
    step step;
    unsigned group; /* of moves, that is tried first */
    shrink_candidates candidates;
    size_t done;         /* candidates that have a result */
    reduce_points asked; /* the rest of them, as sent */
    bool singly;         /* every candidate gets a new process */
    unsigned tries;      /* of the case itself, which passed */
    double started, seconds;
} shrinking;

typedef struct shrink_all {
    const shrink_setup *setup;
    double began;
} shrink_all;

/* ---- requests ---- */

static bool send(shrinking *s, replay_kind kind, verdict death, error *e)
{
    if (s->asked.failed)
        return error_set(e, "out of memory");
    s->t = (replay){ .kind = kind,
                     .item = s->subject->item,
                     .first = 0,
                     .end = 1,
                     .cases = s->asked.count,
                     .stop = s->subject->seen.verdict,
                     .reuses = !s->singly && (s->step == STEP_CONVERT || s->step == STEP_SIMPLER),
                     .death = death,
                     .points = s->asked.text };
    if (death)
        snprintf(s->t.how, sizeof s->t.how, "%s", s->subject->seen.how);
    return pool_add_replay(s->setup->pool, &s->t, e);
}

/* How many candidates the time that is left suffices for, if each takes as long as those before. At least one. */
static size_t in_time(const shrinking *s)
{
    if (s->singly)
        return 1;
    if (s->setup->seconds <= 0 || s->seconds <= 0 || s->subject->executions == 0)
        return SIZE_MAX;
    const double cases = (s->setup->seconds / s->seconds - 1) * (double)s->subject->executions;
    return cases < 1 ? 1 : cases < SHRINK_LIMIT ? (size_t)cases : SIZE_MAX;
}

/* Ask for the candidates that have no result yet. */
static bool ask_rest(shrinking *s, error *e)
{
    char line[CASE_ID_SIZE];
    const size_t most = in_time(s);
    reduce_points_clear(&s->asked);
    for (size_t i = s->done; i < s->candidates.lines.count && i - s->done < most; ++i)
        if (reduce_points_at(&s->candidates.lines, i, line, sizeof line))
            reduce_points_add(&s->asked, line);
    return send(s, REPLAY_CASES, VERDICT_NONE, e);
}

static bool finish(shrinking *s, shrink_outcome outcome, error *e)
{
    s->subject->outcome = outcome;
    return !s->setup->done || s->setup->done(s->setup->context, s->subject, e);
}

static bool ask_description(shrinking *s, verdict death, error *e)
{
    char line[CASE_ID_SIZE];
    s->step = STEP_DESCRIBE;
    if (!shrink_point_write(&s->frame, &s->now, line, sizeof line, &s->subject->to_size, NULL))
        return finish(s, SHRINK_NOT_RUN, e);
    reduce_points_clear(&s->asked);
    reduce_points_add(&s->asked, line);
    return send(s, REPLAY_FINDING, death, e);
}

/* The executions that are left. */
static uint64_t left(const shrinking *s)
{
    return s->subject->executions < s->subject->limit ? s->subject->limit - s->subject->executions : 0;
}

static bool ask_simpler(shrinking *s, error *e)
{
    s->step = STEP_SIMPLER;
    s->done = 0;
    shrink_candidates_clear(&s->candidates);
    s->candidates.most = (size_t)left(s);
    if (!s->subject->slow && !shrink_candidates_simpler(&s->frame, &s->now, s->group, &s->candidates, e))
        return false;
    s->subject->limited = left(s) == 0;
    return s->candidates.lines.count ? ask_rest(s, e) : ask_description(s, VERDICT_NONE, e);
}

static bool ask_converted(shrinking *s, error *e)
{
    s->step = STEP_CONVERT;
    s->done = 0;
    shrink_candidates_clear(&s->candidates);
    s->candidates.most = (size_t)left(s);
    if (s->candidates.most && !shrink_candidates_convert(&s->frame, &s->now, &s->candidates, e))
        return false;
    return s->candidates.lines.count ? ask_rest(s, e) : ask_simpler(s, e);
}

/* Begin with the case itself. */
static bool ask_alone(shrinking *s, error *e)
{
    s->step = STEP_ALONE;
    s->done = 0;
    s->now = s->first;
    s->group = 0;
    shrink_seen_clear(&s->frame.seen);
    shrink_candidates_clear(&s->candidates);
    s->candidates.most = 1;
    if (!shrink_candidates_add(&s->frame, &s->first, &s->candidates, e))
        return false;
    return s->candidates.lines.count ? ask_rest(s, e) : finish(s, SHRINK_NOT_RUN, e);
}

/* ---- results ---- */

static bool is_same(const struct verdict_seen *a, verdict v, const char *how)
{
    return a->verdict == v && (v != VERDICT_CRASH || strcmp(a->how, how) == 0);
}

/* The case was executed alone. */
static bool judge_alone(shrinking *s, verdict v, const char *how, error *e)
{
    shrink_case *c = s->subject;
    if (v == VERDICT_NONE)
        return finish(s, SHRINK_NOT_RUN, e);
    c->seen.verdict = v;
    snprintf(c->seen.how, sizeof c->seen.how, "%s", how);
    if (!verdict_fails(v) || (c->verdict && v != c->verdict)) {
        if (++s->tries < 3 && c->executions < c->limit && verdict_is_clean(v)) {
            c->seen.verdict = VERDICT_NONE; /* no verdict to stop at */
            return ask_alone(s, e);
        }
        return finish(s, v == VERDICT_UNSUPPORTED ? SHRINK_NOT_RUN : SHRINK_PASSES, e);
    }
    return ask_converted(s, e);
}

/* Candidate i failed as the case does. */
static bool accept(shrinking *s, size_t i, error *e)
{
    char line[CASE_ID_SIZE];
    s->group = s->candidates.of[i].group;
    if (!reduce_points_at(&s->candidates.lines, i, line, sizeof line) ||
        !shrink_point_read(s->first.test->file, line, &s->now, e))
        return false;
    return ask_simpler(s, e);
}

/* The smallest case did not fail alone. What was found may depend on cases that were executed before: begin again, with
   a new process for each. */
static bool restart(shrinking *s, error *e)
{
    if (s->singly || left(s) == 0)
        return finish(s, SHRINK_UNSTABLE, e);
    s->singly = true;
    s->now = s->first;
    s->group = 0;
    shrink_seen_clear(&s->frame.seen);
    return ask_converted(s, e);
}

static bool judge_description(shrinking *s, const replay_result *r, error *e)
{
    shrink_case *c = s->subject;
    const verdict v = r->died ? r->death : r->number_count ? (verdict)r->numbers[0] : VERDICT_NONE;
    if (!is_same(&c->seen, v, s->t.death ? c->seen.how : r->how))
        return restart(s, e);
    if (r->died)
        return ask_description(s, r->death, e);
    snprintf(c->to, sizeof c->to, "%s:%.*s", s->first.test->file->op->name, (int)(sizeof c->to - 70), s->asked.text);
    if (r->chunk.finding_count) {
        c->finding = r->chunk.findings[0];
        memset(&r->chunk.findings[0], 0, sizeof r->chunk.findings[0]);
    }
    return finish(s, SHRINK_DONE, e);
}

/* The results of candidates: is one of them the next case? */
static bool judge_candidates(shrinking *s, const replay_result *r, error *e)
{
    const size_t asked = s->asked.count;
    size_t last = r->died ? (r->at < asked ? (size_t)r->at : 0) : r->number_count ? r->number_count - 1 : 0;
    const verdict v = r->died ? r->death : r->number_count ? (verdict)r->numbers[r->number_count - 1] : VERDICT_NONE;
    for (size_t i = 0; i <= last; ++i)
        s->subject->executions += r->died || (i < r->number_count && r->numbers[i] != VERDICT_NONE);
    if (last >= asked)
        last = asked - 1;
    const size_t at = s->done + last;
    for (size_t i = s->done; i <= at; ++i)
        if (!shrink_candidates_executed(&s->frame, &s->candidates, i))
            return error_set(e, "out of memory");
    s->done = at + 1;
    if (s->step == STEP_ALONE)
        return judge_alone(s, v, r->how, e);
    if (is_same(&s->subject->seen, v, r->how) && !r->together)
        return accept(s, at, e);
    if (s->done < s->candidates.lines.count && left(s) && !s->subject->slow)
        return ask_rest(s, e);
    return s->step == STEP_CONVERT ? ask_simpler(s, e) : ask_description(s, VERDICT_NONE, e);
}

static bool replayed(void *context, replay *t, const replay_result *r, error *e)
{
    shrink_all *all = context;
    shrinking *s = (shrinking *)t;
    const double took = platform_seconds() - s->started;
    s->seconds += took;
    s->subject->slow = (s->setup->seconds > 0 && s->seconds > s->setup->seconds) ||
                       (s->setup->all_seconds > 0 && platform_seconds() - all->began > s->setup->all_seconds);
    return s->step == STEP_DESCRIBE ? judge_description(s, r, e) : judge_candidates(s, r, e);
}

static bool begin_replay(void *context, replay *t, error *e)
{
    (void)context;
    (void)e;
    ((shrinking *)t)->started = platform_seconds();
    return true;
}

static bool tick(void *context, size_t item)
{
    const shrink_all *all = context;
    return all->setup->tick && all->setup->tick(all->setup->context, item);
}

/* ---- the interface ---- */

static shrinking *begin(const shrink_setup *setup, shrink_case *c, error *e)
{
    shrinking *s = calloc(1, sizeof *s);
    char line[CASE_ID_SIZE];
    shrink_extent extent;
    if (!s) {
        error_set(e, "out of memory");
        return NULL;
    }
    s->setup = setup;
    s->subject = c;
    s->frame = (shrink_frame){ .profile = setup->profile, .level = setup->level, .most = { UINT64_MAX, UINT64_MAX } };
    c->outcome = SHRINK_UNFINISHED;
    const char *behind = strchr(c->id, ':');
    if (!behind || !shrink_point_read(setup->plan->items[c->item].test->file, behind + 1, &s->first, e)) {
        free(s);
        return NULL;
    }
    if (shrink_point_write(&s->frame, &s->first, line, sizeof line, &c->from_size, &extent)) {
        s->frame.most.bytes = extent.bytes > 1 << 22 ? extent.bytes : 1 << 22;
        s->frame.most.written = extent.written > 1 << 20 ? extent.written : 1 << 20;
    }
    return s;
}

static void end(shrinking *s)
{
    if (!s)
        return;
    shrink_seen_clear(&s->frame.seen);
    shrink_candidates_clear(&s->candidates);
    reduce_points_clear(&s->asked);
    free(s);
}

bool shrink_cases(const shrink_setup *setup, shrink_case *cases, size_t count, error *e)
{
    shrink_all all = { .setup = setup, .began = platform_seconds() };
    const pool_sink sink = { .context = &all, .begin_replay = begin_replay, .replayed = replayed, .tick = tick };
    shrinking **list = calloc(count + 1, sizeof *list);
    bool fine = list || error_set(e, "out of memory");
    for (size_t i = 0; fine && i < count; ++i)
        fine = (list[i] = begin(setup, &cases[i], e)) && ask_alone(list[i], e);
    fine = fine && (count == 0 || pool_run(setup->pool, &sink, e));
    for (size_t i = 0; list && i < count; ++i)
        end(list[i]);
    free(list);
    return fine;
}
