/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes that make compilers check the arguments of printf-like functions. */
#ifndef TOUCHSTONE_FORMAT_H
#define TOUCHSTONE_FORMAT_H

/* The format is argument a, its values from b on. */
#if defined(__MINGW32__) && !defined(__clang__) /* whose plain `printf` means that of Microsoft's library, not C11's   \
                                                 */
#define TS_PRINTF(a, b) __attribute__((format(gnu_printf, a, b)))
#elif defined(__GNUC__)
#define TS_PRINTF(a, b) __attribute__((format(printf, a, b)))
#else
#define TS_PRINTF(a, b)
#endif

#endif
