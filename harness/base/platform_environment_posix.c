/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/platform.h"
#include "harness/base/platform_environment.h"

#include <limits.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

/* What this program handles, ignores or ends by. A library may need the others, such as a collector of garbage that
   stops threads with one of them: to take its handler from it would end the process. */
static const struct {
    int number;
    const char *name;
} watched[] = {
    { SIGSEGV, "SIGSEGV" }, { SIGBUS, "SIGBUS" },   { SIGILL, "SIGILL" },   { SIGFPE, "SIGFPE" },
    { SIGABRT, "SIGABRT" }, { SIGUSR2, "SIGUSR2" }, { SIGINT, "SIGINT" },   { SIGTERM, "SIGTERM" },
    { SIGHUP, "SIGHUP" },   { SIGPIPE, "SIGPIPE" }, { SIGCHLD, "SIGCHLD" }, { SIGXFSZ, "SIGXFSZ" },
};
enum { WATCHED = sizeof watched / sizeof watched[0] };

struct platform_environment {
    char *locale; /* of the process */
    size_t locale_room;
    locale_t own_locale; /* of this thread */
    char *variables;     /* each with its zero byte, in order */
    size_t variables_size, variables_room;
    char folder[PATH_MAX]; /* "": it has no name */
    mode_t umask;
    sigset_t mask;
    struct sigaction handlers[WATCHED];
    char found[PLATFORM_CHANGES][64];
};

platform_environment *platform_environment_open(void)
{
    return calloc(1, sizeof(platform_environment));
}

void platform_environment_close(platform_environment *p)
{
    if (!p)
        return;
    free(p->locale);
    free(p->variables);
    free(p);
}

/* Have room for `size` bytes in *room, whose contents are not needed. */
static bool make_room(char **bytes, size_t *room, size_t size)
{
    if (size <= *room)
        return true;
    free(*bytes);
    *bytes = malloc(2 * size);
    *room = *bytes ? 2 * size : 0;
    return *bytes != NULL;
}

static bool note_locale(platform_environment *p)
{
    const char *name = setlocale(LC_ALL, NULL);
    const size_t size = strlen(name) + 1;
    p->own_locale = uselocale((locale_t)0);
    if (!make_room(&p->locale, &p->locale_room, size))
        return false;
    memcpy(p->locale, name, size);
    return true;
}

static bool note_variables(platform_environment *p)
{
    size_t size = 0;
    for (char **v = environ; v && *v; ++v)
        size += strlen(*v) + 1;
    if (!make_room(&p->variables, &p->variables_room, size + 1))
        return false;
    p->variables_size = 0;
    for (char **v = environ; v && *v; ++v) {
        const size_t n = strlen(*v) + 1;
        memcpy(p->variables + p->variables_size, *v, n);
        p->variables_size += n;
    }
    return true;
}

bool platform_environment_note(platform_environment *p)
{
    if (!getcwd(p->folder, sizeof p->folder))
        p->folder[0] = '\0';
    p->umask = umask(077);
    umask(p->umask);
    sigprocmask(SIG_BLOCK, NULL, &p->mask);
    for (size_t i = 0; i < WATCHED; ++i)
        sigaction(watched[i].number, NULL, &p->handlers[i]);
    return note_locale(p) && note_variables(p);
}

static unsigned changed(platform_environment *p, unsigned what, const char *found)
{
    for (unsigned bit = 0; bit < PLATFORM_CHANGES; ++bit)
        if (what >> bit == 1)
            snprintf(p->found[bit], sizeof p->found[bit], "%.63s", found);
    return what;
}

static unsigned restore_locale(platform_environment *p)
{
    const char *now = setlocale(LC_ALL, NULL);
    unsigned changes = 0;
    if (strcmp(now, p->locale) != 0) {
        changes = changed(p, PLATFORM_LOCALE, now);
        setlocale(LC_ALL, p->locale);
    }
    if (uselocale((locale_t)0) != p->own_locale) {
        changes |= changes ? 0 : changed(p, PLATFORM_LOCALE, "one of the thread");
        uselocale(p->own_locale);
    }
    return changes;
}

/* The length of a variable's name. */
static size_t name_length(const char *variable)
{
    return strcspn(variable, "=");
}

/* The first variable that is not as noted, among those that are set or else among those that were; NULL: none. */
static const char *other_variable(const platform_environment *p)
{
    const char *noted = p->variables, *const end = p->variables + p->variables_size;
    for (char **v = environ; v && *v; ++v) {
        if (noted == end || strcmp(*v, noted) != 0)
            return *v;
        noted += strlen(noted) + 1;
    }
    return noted == end ? NULL : noted;
}

static bool was_set(const platform_environment *p, const char *name, size_t length)
{
    for (const char *v = p->variables; v < p->variables + p->variables_size; v += strlen(v) + 1)
        if (name_length(v) == length && strncmp(v, name, length) == 0)
            return true;
    return false;
}

/* Unset the first variable that was not set. False: there is none. */
static bool unset_one(const platform_environment *p)
{
    char name[256];
    for (char **v = environ; v && *v; ++v) {
        const size_t length = name_length(*v);
        if (length == 0 || length >= sizeof name || was_set(p, *v, length))
            continue;
        memcpy(name, *v, length);
        name[length] = '\0';
        return unsetenv(name) == 0;
    }
    return false;
}

static unsigned restore_variables(platform_environment *p)
{
    char name[256];
    const char *other = other_variable(p);
    if (!other)
        return 0;
    snprintf(name, sizeof name, "%.*s", (int)(name_length(other) < 60 ? name_length(other) : 60), other);
    while (unset_one(p))
        continue;
    for (char *v = p->variables; v < p->variables + p->variables_size; v += strlen(v) + 1) {
        char *const equals = v + name_length(v);
        if (*equals == '\0' || equals == v)
            continue;
        *equals = '\0';
        const char *now = getenv(v);
        if (!now || strcmp(now, equals + 1) != 0)
            setenv(v, equals + 1, 1);
        *equals = '=';
    }
    /* Their order, which concerns nobody, may be another one now. */
    note_variables(p);
    return changed(p, PLATFORM_VARIABLES, name);
}

static unsigned restore_folder(platform_environment *p)
{
    char now[PATH_MAX];
    if (!p->folder[0] || (getcwd(now, sizeof now) && strcmp(now, p->folder) == 0))
        return 0;
    const bool fine = chdir(p->folder) == 0;
    return changed(p, PLATFORM_FOLDER, fine ? "" : "it could not be restored");
}

static unsigned restore_umask(platform_environment *p)
{
    char found[16];
    const mode_t now = umask(p->umask);
    if (now == p->umask)
        return 0;
    snprintf(found, sizeof found, "%03o", (unsigned)now);
    return changed(p, PLATFORM_UMASK, found);
}

static unsigned restore_mask(platform_environment *p)
{
    sigset_t now;
    sigprocmask(SIG_SETMASK, &p->mask, &now);
    for (int number = 1; number <= SIGRTMAX; ++number)
        if (sigismember(&now, number) != sigismember(&p->mask, number))
            return changed(p, PLATFORM_SIGNAL_MASK, "");
    return 0;
}

static unsigned restore_handlers(platform_environment *p)
{
    unsigned changes = 0;
    for (size_t i = 0; i < WATCHED; ++i) {
        struct sigaction now;
        if (sigaction(watched[i].number, NULL, &now) != 0 ||
            (now.sa_handler == p->handlers[i].sa_handler && now.sa_flags == p->handlers[i].sa_flags))
            continue;
        changes |= changes ? 0 : changed(p, PLATFORM_SIGNAL_HANDLERS, watched[i].name);
        sigaction(watched[i].number, &p->handlers[i], NULL);
    }
    return changes;
}

unsigned platform_environment_restore(platform_environment *p, bool quickly)
{
    const unsigned changes = restore_locale(p);
    return quickly ? changes
                   : changes | restore_variables(p) | restore_folder(p) | restore_umask(p) | restore_mask(p) |
                         restore_handlers(p);
}

const char *platform_environment_found(const platform_environment *p, unsigned bit)
{
    return p->found[bit];
}
