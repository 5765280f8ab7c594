/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What DxDispatch's parser refuses in a model though DirectML's pages do not: findings with the rules DXD-01 to DXD-10
 * (check_class.h). The text decides, not its tree: 1.0 is no integer there, and null is not the same as nothing.
 */
#ifndef TOUCHSTONE_CHECK_REFUSALS_H
#define TOUCHSTONE_CHECK_REFUSALS_H

#include "harness/base/did_you_mean.h"
#include "harness/check/check_class.h"
#include "harness/check/check_json_reader.h"

/* Add to the reader's item, an operator of a known type whose fields are at r->descriptor, what is refused of it. */
void check_find_refusals(json_reader *r);

/* Is this the name of a DXGI_FORMAT, with its prefix or without? And " (did you mean 'R32_UINT'?)" where it is not. */
bool check_is_format(const char *word);
const char *check_format_hint(const char *word, char hint[DID_YOU_MEAN_SIZE]);

#endif
