/* SPDX-License-Identifier: Apache-2.0 */
/* The protocol between Touchstone and a program that is a backend, as docs/exec.md describes it. The adapter and
   touchstone_exec.h share these numbers; everything is in the byte order of the machine. */
#ifndef TOUCHSTONE_EXEC_PROTOCOL_H
#define TOUCHSTONE_EXEC_PROTOCOL_H

#include <stdint.h>

#define TS_EXEC_VERSION  1
#define TS_EXEC_LINE     3                 /* the descriptor of the connection, a stream socket */
#define TS_EXEC_MEMORY   4                 /* the descriptor of the shared memory */
#define TS_EXEC_VARIABLE "TOUCHSTONE_EXEC" /* an environment variable with the version, which a worker has */
#define TS_EXEC_NAMES    "TOUCHSTONE_EXEC_NAMES" /* and one with the names of all operators and clauses */

#define TS_EXEC_FRAME_MOST (1u << 16) /* bytes of a frame, its head included */
#define TS_EXEC_NOTE_MOST  400u       /* bytes of a note */

/* What a frame is. A reply has the kind and the number of its request. */
enum {
    TS_EXEC_HELLO = 1,
    TS_EXEC_QUERY = 2,
    TS_EXEC_CLAUSE = 3,
    TS_EXEC_SUBMIT = 4,
    TS_EXEC_CLOSE = 5 /* without a reply */
};

/* The head of a frame. */
typedef struct ts_exec_head {
    uint32_t size;   /* of the whole frame in bytes */
    uint32_t kind;   /* TS_EXEC_HELLO and so on */
    uint32_t number; /* of the request: 1, 2, 3, ... */
    uint32_t value;  /* a version, a count or a ts_status */
} ts_exec_head;

/* The body of a HELLO; `options` strings "key" and "value" with a zero byte behind each follow. */
typedef struct ts_exec_hello {
    uint32_t call_size, tensor_size, shape_size, info_size; /* of the structures of backend.h */
    uint32_t options;
    uint32_t reserved;
} ts_exec_hello;

/* The body of a QUERY; a text that describes the operator follows. */
typedef struct ts_exec_query {
    uint64_t call;      /* offset of a ts_call */
    uint64_t described; /* the call, its tensors and attributes are in front of this offset */
    uint64_t memory;    /* size of the shared memory */
} ts_exec_query;

/* The body of a SUBMIT. */
typedef struct ts_exec_submit {
    uint64_t calls;     /* offset of the array of ts_call */
    uint64_t described; /* the calls, their tensors and attributes are in front of this offset */
    uint64_t statuses;  /* offset of a uint32_t for each call */
    uint64_t memory;    /* size of the shared memory */
} ts_exec_submit;

/* The body of the reply to a SUBMIT; notes follow, each a ts_exec_note and its text. */
typedef struct ts_exec_answer {
    uint32_t answered; /* calls that have a status: all */
    uint32_t notes;
} ts_exec_answer;

typedef struct ts_exec_note {
    uint32_t call; /* number of the call in the batch, from 0 */
    uint32_t size; /* bytes of text */
} ts_exec_note;

#endif
