/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/platform.h"

/* A process cannot be copied here. */
platform_trial platform_try(void (*f)(void *context), void *context, unsigned seconds)
{
    (void)f;
    (void)context;
    (void)seconds;
    return PLATFORM_TRIAL_UNSUPPORTED;
}
