/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/directml/options.h"

#include <stdio.h>
#include <string.h>

#define SHOWN 80 /* maximum length of user input in a message */

const ts_level options_levels[OPTIONS_LEVELS] = {
    TS_LEVEL_1_0, TS_LEVEL_2_0, TS_LEVEL_2_1, TS_LEVEL_3_0, TS_LEVEL_3_1, TS_LEVEL_4_0, TS_LEVEL_4_1, TS_LEVEL_5_0,
    TS_LEVEL_5_1, TS_LEVEL_5_2, TS_LEVEL_6_0, TS_LEVEL_6_1, TS_LEVEL_6_2, TS_LEVEL_6_3, TS_LEVEL_6_4,
};

const char *options_level_name(ts_level level, char *out, size_t capacity)
{
    if (level & ~0xff00u)
        snprintf(out, capacity, "0x%x", (unsigned)level);
    else
        snprintf(out, capacity, "%u_%u", (unsigned)(level >> 12), (unsigned)(level >> 8 & 15));
    return out;
}

static bool read_flag(const ts_option *o, bool *flag, char *message, size_t capacity)
{
    if (strcmp(o->value, "0") != 0 && strcmp(o->value, "1") != 0) {
        snprintf(message, capacity, "%s=%.*s: expected 0 or 1", o->key, SHOWN, o->value);
        return false;
    }
    *flag = o->value[0] == '1';
    return true;
}

static bool read_text(const ts_option *o, const char *what, const char **text, char *message, size_t capacity)
{
    if (!*o->value) {
        snprintf(message, capacity, "%s= is empty: expected %s", o->key, what);
        return false;
    }
    *text = o->value;
    return true;
}

static bool read_target(const ts_option *o, ts_level *target, char *message, size_t capacity)
{
    char name[16];
    size_t used;
    for (size_t i = 0; i < OPTIONS_LEVELS; ++i) {
        if (strcmp(options_level_name(options_levels[i], name, sizeof name), o->value) == 0) {
            *target = options_levels[i];
            return true;
        }
    }
    used = (size_t)snprintf(message, capacity, "target=%.*s is not a feature level: expected one of", SHOWN, o->value);
    for (size_t i = 0; i < OPTIONS_LEVELS && used < capacity; ++i)
        used += (size_t)snprintf(message + used, capacity - used, "%s %s", i ? "," : "",
                                 options_level_name(options_levels[i], name, sizeof name));
    return false;
}

bool options_read(const ts_option *options, size_t count, directml_options *out, char *message, size_t capacity)
{
    *out = (directml_options){ .target = TS_LEVEL_1_0 };
    for (size_t i = 0; i < count; ++i) {
        const ts_option *o = &options[i];
        bool fine;
        if (strcmp(o->key, "adapter") == 0) {
            fine = read_text(o, "an index, a part of an adapter's name, or warp", &out->adapter, message, capacity);
        } else if (strcmp(o->key, "dll") == 0) {
            fine = read_text(o, "the file name of a DirectML.dll", &out->dll, message, capacity);
        } else if (strcmp(o->key, "debug") == 0) {
            fine = read_flag(o, &out->debug, message, capacity);
        } else if (strcmp(o->key, "disable_meta_commands") == 0) {
            fine = read_flag(o, &out->disable_meta_commands, message, capacity);
        } else if (strcmp(o->key, "target") == 0) {
            fine = read_target(o, &out->target, message, capacity);
        } else {
            snprintf(message, capacity,
                     "unknown option '%.*s': expected adapter, dll, debug, disable_meta_commands or target", SHOWN,
                     o->key);
            fine = false;
        }
        if (!fine)
            return false;
    }
    return true;
}

const char *options_describe(void)
{
    return "adapter=0|1|...|NAME|warp  the adapter: its number, a part of its name, or the software adapter\n"
           "dll=FILE  the DirectML.dll under test, instead of the one that Windows finds\n"
           "debug=1  use the debug layers of D3D12 and DirectML\n"
           "disable_meta_commands=1  use DirectML's own kernels only\n"
           "target=1_0|...|6_4  refuse a device with a lower feature level";
}
