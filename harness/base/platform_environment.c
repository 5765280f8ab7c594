/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/platform_environment.h"

const char *platform_change_name(unsigned bit)
{
    static const char *const names[PLATFORM_CHANGES] = {
        "rounding mode",
        "flushing of denormals",
        "floating-point traps",
        "x87 control word",
        "locale",
        "environment variables",
        "working folder",
        "umask",
        "signal mask",
        "signal handlers",
    };
    return names[bit];
}
