/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/execute/execute_watchdog.h"

enum { STEP, FIRST, LAST, CLASS_KEY, PRINTED, FLAGS };
enum { SENDING = 1, SUBMITTED = 2, MOST_FLAGS = 3 };

#define MARKS       256 /* submissions after the process printed, before which it is asked whether it printed more */
#define READ_AGAIN  4
#define CHECK_START UINT64_C(0x6C62272E07BB0142)

/* The check word is a sum, so that it can be kept up to date with little work. */
static const uint64_t factors[EXECUTE_PAGE_WORDS] = { UINT64_C(0x9E3779B97F4A7C15), UINT64_C(0xBF58476D1CE4E5B9),
                                                      UINT64_C(0x94D049BB133111EB), UINT64_C(0xD6E8FEB86659FD93),
                                                      UINT64_C(0xA0761D6478BD642F), UINT64_C(0xE7037ED1A0B428DB) };

static uint64_t check_of(const uint64_t *words)
{
    uint64_t check = CHECK_START;
    for (int i = 0; i < EXECUTE_PAGE_WORDS; ++i)
        check += words[i] * factors[i];
    return check;
}

/* ---- the run's side ---- */

static void write_page(execute_page *page, const uint64_t *words, uint64_t check)
{
    for (int i = 0; i < EXECUTE_PAGE_WORDS; ++i)
        atomic_store_explicit(&page->words[i], words[i], memory_order_relaxed);
    atomic_store_explicit(&page->check, check, memory_order_release);
}

void watchdog_reset(execute_page *page)
{
    static const uint64_t nothing[EXECUTE_PAGE_WORDS];
    write_page(page, nothing, CHECK_START);
}

bool watchdog_read(const execute_page *page, execute_progress *out)
{
    uint64_t words[EXECUTE_PAGE_WORDS];
    bool valid = false;
    for (int k = 0; k < READ_AGAIN && !valid; ++k) {
        const uint64_t check = atomic_load_explicit(&page->check, memory_order_acquire);
        for (int i = 0; i < EXECUTE_PAGE_WORDS; ++i)
            words[i] = atomic_load_explicit(&page->words[i], memory_order_relaxed);
        valid = check_of(words) == check && words[FLAGS] <= MOST_FLAGS;
    }
    *out = (execute_progress){ .step = words[STEP],
                               .first = words[FIRST],
                               .last = words[LAST],
                               .class_key = words[CLASS_KEY],
                               .printed = words[PRINTED],
                               .sending = (words[FLAGS] & SENDING) != 0,
                               .submitted = (words[FLAGS] & SUBMITTED) != 0 };
    return valid;
}

/* ---- the executor's side ---- */

void watchdog_begin(execute_watchdog *w, execute_page *page, const execute_orders *orders)
{
    *w = (execute_watchdog){ .page = page, .orders = orders, .check = CHECK_START };
}

/* Change a word without writing the page. */
static void set_word(execute_watchdog *w, int which, uint64_t value)
{
    w->check += (value - w->words[which]) * factors[which];
    w->words[which] = value;
}

static void advance(execute_watchdog *w)
{
    set_word(w, STEP, w->words[STEP] + 1);
    atomic_store_explicit(&w->step, w->words[STEP], memory_order_release);
    write_page(w->page, w->words, w->check);
}

bool watchdog_guarded_call(execute_watchdog *w, void (*f)(void *context), void *context, platform_fault *fault)
{
    if (!w)
        return platform_guarded_call(f, context, fault);
    advance(w);
    const bool fine = platform_guarded_call(f, context, fault);
    advance(w);
    return fine;
}

/* Note how much the process has printed: before each submission where it matters or where the process has just printed,
   since asking takes longer than a short case. */
static void mark_printed(execute_watchdog *w, bool alone)
{
    uint64_t printed;
    const uint64_t seen = atomic_load_explicit(&w->orders->printed.bytes, memory_order_relaxed);
    if (seen > w->words[PRINTED])
        w->marks = MARKS;
    if ((!alone && w->marks == 0) || !platform_process_printed(&w->orders->printed, &printed))
        return;
    w->marks = printed != w->words[PRINTED] ? MARKS : w->marks ? w->marks - 1 : 0;
    set_word(w, PRINTED, printed);
}

void watchdog_set_cases(execute_watchdog *w, uint64_t first, uint64_t last, bool alone)
{
    if (!w)
        return;
    mark_printed(w, alone);
    set_word(w, FIRST, first);
    set_word(w, LAST, last);
    set_word(w, FLAGS, w->words[FLAGS] | SUBMITTED); /* the page is written when the call begins */
}

void watchdog_set_class(execute_watchdog *w, uint64_t key)
{
    if (!w)
        return;
    set_word(w, CLASS_KEY, key);
    write_page(w->page, w->words, w->check);
}

void watchdog_set_sending(execute_watchdog *w, bool sending)
{
    set_word(w, FLAGS, (w->words[FLAGS] & ~(uint64_t)SENDING) | (sending ? SENDING : 0));
    write_page(w->page, w->words, w->check);
}

bool watchdog_stop_requested(const execute_watchdog *w)
{
    return w && atomic_load_explicit(&w->orders->stop, memory_order_relaxed) != 0;
}
