/* SPDX-License-Identifier: Apache-2.0 */
/* Lua states for files that people write: no io, no os, no loading of code except by `shared`, bounded memory and
   steps. */
#ifndef TOUCHSTONE_SANDBOX_H
#define TOUCHSTONE_SANDBOX_H

#include "harness/base/error.h"

#include <lua.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sandbox {
    lua_State *lua;
    size_t used, limit;         /* bytes */
    uint64_t steps, step_limit; /* remaining instructions, and the limit */
} sandbox;

#define SANDBOX_MEMORY  ((size_t)256 << 20)
#define SANDBOX_STEPS   UINT64_C(200000000)
#define SANDBOX_SECONDS 10u                /* of processor time: sandbox_trial */
#define SANDBOX_SOURCE  ((size_t)16 << 20) /* bytes of a file */

/* Open a state with base (without dofile, loadfile, load, require, collectgarbage, print), table, string (without
   string.dump), math (without random) and utf8. 0 limits mean no limit. The script's pcall cannot swallow the step
   limit; its metatables cannot have finalizers. Time inside one library function is not counted: sandbox_trial. */
bool sandbox_open(sandbox *s, size_t memory, uint64_t steps, error *e);
void sandbox_close(sandbox *s);

/* From now on, let much garbage gather before it is collected. For functions that are called often and make many small
   tables, beside much that stays: every collection visits all of it. */
void sandbox_collect_rarely(sandbox *s);

/* Allow `steps` instructions from now on. */
void sandbox_refill(sandbox *s, uint64_t steps);

/* The steps do not bound the time: a single library function (string.find with a pattern that backtracks, string.rep of
   an empty string) can take for ever, and so can comparisons of long strings. Find out whether f(context), which runs a
   file and reads its results, ends in time: it runs in a copy of this process first. The caller then calls it itself,
   and the same happens, since a script has no clock, no random numbers and no input: the state must have been opened
   before. False (EXIT_BAD_USAGE) if it does not end within so many seconds of processor time, or dies. Where a process
   cannot be copied (Windows), nothing is tried, and the time is not bounded. */
bool sandbox_trial(const char *path, void (*f)(void *context), void *context, unsigned seconds, error *e);

/* Run a text chunk from a file of at most SANDBOX_SOURCE bytes, with `results` results left on the stack (LUA_MULTRET
   allowed). Its arguments are the top values of the stack, which are popped in any case. Bytecode is rejected. Errors
   have file and line
   ("cases/x.lua:12: ..."); endless loops and too much memory have messages of their own. All are EXIT_BAD_USAGE. */
bool sandbox_run_file(sandbox *s, const char *path, const char *chunk_name, int arguments, int results, error *e);

/* The path of the file that the files of a folder share: "shared.lua" beside `path`. It need not exist. */
bool sandbox_shared_path(const char *path, char *buf, size_t size, error *e);

/* Call f(context, FILE, e) for each existing file that the file at `path` may share with others: "common.lua" in the
   folder above, "shared.lua" beside it, and those beside it whose names are the beginning of its own and "_shared.lua",
   as gather_nd_shared.lua is of gather_nd1.lua. False as soon as f is, or if a path is too long. */
bool sandbox_each_shared(const char *path, bool (*f)(void *context, const char *shared, error *e), void *context,
                         error *e);

/* Define the functions `common`, `shared` and `shared_file` for the file at `path`. shared(...) runs "shared.lua" with
   its arguments and returns its result, one value; common(...) does the same with "common.lua", and
   shared_file(NAME, ...) with the file of this name, one of those of sandbox_each_shared. An error there is a Lua error
   that names both files and lines. */
bool sandbox_share(sandbox *s, const char *path, error *e);

/* Call f in protected mode with the light userdata `context` and the top `arguments` values of the stack, which are
   popped; no results. A Lua error becomes e. Code that may allocate in the state or run Lua must be in such a call:
   outside of one, a Lua error ends the process. */
bool sandbox_call(sandbox *s, lua_CFunction f, void *context, int arguments, error *e);

#endif
