/* SPDX-License-Identifier: Apache-2.0 */
/* The command list of a batch. */
#ifndef TOUCHSTONE_DIRECTML_BATCH_RECORD_H
#define TOUCHSTONE_DIRECTML_BATCH_RECORD_H

#include "backends/directml/batch.h"

/* Record upload, initializer, dispatches and readback of the batch. False with device->message. */
bool batch_record(batch *b);

#endif
