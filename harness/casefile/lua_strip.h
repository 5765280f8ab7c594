/* SPDX-License-Identifier: Apache-2.0 */
/* Lua source without its comments and layout. */
#ifndef TOUCHSTONE_LUA_STRIP_H
#define TOUCHSTONE_LUA_STRIP_H

#include <stddef.h>

/* Remove the comments from the `size` bytes of Lua source at `text`, in place, and replace each run of white space and
   comments by one blank (none at the start and the end). Strings, quoted or in long brackets, stay as they are. Returns
   the new size. Two files with the same result mean the same; a file need not be valid Lua. */
size_t lua_strip(char *text, size_t size);

#endif
