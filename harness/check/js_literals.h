/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data of a JavaScript file as JSON, without executing anything of it. A test of web-platform-tests has its data in
 * constants, between code that uses them:
 *
 *   const sliceTests = [ { 'name': 'slice 1D', 'graph': { ... descriptor: {shape: [24], dataType: 'float32'} } } ];
 */
#ifndef TOUCHSTONE_JS_LITERALS_H
#define TOUCHSTONE_JS_LITERALS_H

#include "harness/check/source_text.h"

#define JS_LITERALS_UNREADABLE '\1' /* begins the string that stands for an expression */

/* Replace the text by a JSON list of the arrays that it declares outside of all brackets (const, let or var NAME =
   [...]), each with its line breaks, so that lines keep their numbers. Arrays contain literals: lists, records,
   strings, also some with + between them, numbers, BigInts, true, false and null; NaN and Infinity become strings, and
   holes of lists become null. Where such an array has another expression, a string stands for it that consists of
   JS_LITERALS_UNREADABLE and the error with its place; a member that has no name gets its code as one. Brackets and
   strings that do not end are an EXIT_BAD_USAGE error with the place. */
bool js_literals_to_json(source_text *t, error *e);

#endif
