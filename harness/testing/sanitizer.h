/* SPDX-License-Identifier: Apache-2.0 */
/* Is the test built with AddressSanitizer? It makes most code four times slower, and has an allocator of its own. */
#ifndef TOUCHSTONE_TESTING_SANITIZER_H
#define TOUCHSTONE_TESTING_SANITIZER_H

#if defined(__SANITIZE_ADDRESS__)
#define UNDER_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define UNDER_SANITIZER 1
#endif
#endif
#if !defined(UNDER_SANITIZER)
#define UNDER_SANITIZER 0
#endif

#endif
