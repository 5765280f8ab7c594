/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of planted_calls.h: see made.h. */
