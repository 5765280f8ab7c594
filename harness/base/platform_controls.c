/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/platform_controls.h"

#if defined(__x86_64__)

#define MXCSR_DENORMALS 0x8040u /* FTZ, DAZ */
#define MXCSR_ROUNDING  0x6000u
#define MXCSR_TRAPS     0x1F80u
#define X87_PRECISION   0x0300u
#define X87_ROUNDING    0x0C00u
#define X87_TRAPS       0x003Fu

static uint16_t read_x87(void)
{
    uint16_t word;
    __asm__ volatile("fnstcw %0" : "=m"(word));
    return word;
}

void platform_controls_note(platform_controls *c)
{
    c->mxcsr = __builtin_ia32_stmxcsr();
    c->x87 = read_x87();
}

unsigned platform_controls_restore(const platform_controls *c)
{
    __asm__ volatile("cld\n\temms" ::: "cc");
    const uint32_t mxcsr = __builtin_ia32_stmxcsr() ^ c->mxcsr;
    const unsigned x87 = read_x87() ^ c->x87;
    unsigned changes = 0;
    if (mxcsr & (MXCSR_DENORMALS | MXCSR_ROUNDING | MXCSR_TRAPS)) {
        __builtin_ia32_ldmxcsr(c->mxcsr);
        changes |= (mxcsr & MXCSR_DENORMALS ? PLATFORM_DENORMALS : 0u) |
                   (mxcsr & MXCSR_ROUNDING ? PLATFORM_ROUNDING : 0u) | (mxcsr & MXCSR_TRAPS ? PLATFORM_TRAPS : 0u);
    }
    if (x87 & (X87_PRECISION | X87_ROUNDING | X87_TRAPS)) {
        /* An exception that is pending would be raised by the instruction that allows it. */
        __asm__ volatile("fnclex\n\tfldcw %0" ::"m"(c->x87));
        changes |= PLATFORM_X87;
    }
    return changes;
}

#elif defined(__aarch64__)

#define FPCR_DENORMALS (UINT64_C(1) << 24 | UINT64_C(1) << 19 | 3) /* FZ, FZ16; FIZ and AH of newer processors */
#define FPCR_ROUNDING  (UINT64_C(3) << 22)
#define FPCR_TRAPS     UINT64_C(0x9F00)

static uint64_t read_fpcr(void)
{
    uint64_t word;
    __asm__ volatile("mrs %0, fpcr" : "=r"(word));
    return word;
}

void platform_controls_note(platform_controls *c)
{
    c->fpcr = read_fpcr();
}

unsigned platform_controls_restore(const platform_controls *c)
{
    const uint64_t fpcr = read_fpcr() ^ c->fpcr;
    if (fpcr == 0)
        return 0;
    __asm__ volatile("msr fpcr, %0" ::"r"(c->fpcr));
    return (fpcr & FPCR_DENORMALS ? PLATFORM_DENORMALS : 0u) | (fpcr & FPCR_ROUNDING ? PLATFORM_ROUNDING : 0u) |
           (fpcr & FPCR_TRAPS ? PLATFORM_TRAPS : 0u);
}

#else

void platform_controls_note(platform_controls *c)
{
    fegetenv(&c->all);
}

/* C's interface tells of the rounding alone what it is. */
unsigned platform_controls_restore(const platform_controls *c)
{
    const int rounding = fegetround();
    fesetenv(&c->all);
    return rounding != fegetround() ? PLATFORM_ROUNDING : 0;
}

#endif
