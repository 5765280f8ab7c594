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

/* Replace the text by a JSON list of the arrays that it declares outside of all brackets (const, let or var NAME =
   [...]), each with its line breaks, so that lines keep their numbers. Arrays contain literals: lists, records,
   strings, also some with + between them, numbers, BigInts, true, false and null; NaN and Infinity become strings.
   Anything else in such an array, and brackets that do not match, are an EXIT_BAD_USAGE error with the place. */
bool js_literals_to_json(source_text *t, error *e);

#endif
