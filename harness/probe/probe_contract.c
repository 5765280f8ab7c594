/* SPDX-License-Identifier: Apache-2.0 */
/* The promises that checks refer to, in the words of backends/backend.h. */
#include "harness/probe/probe_internal.h"

static const struct {
    const char *place, *words;
} clauses[CLAUSE_COUNT] = {
    [CLAUSE_VERSIONS] = { "Versions", "Code compiled with an older or a newer header works as long as TS_BACKEND_ABI "
                                      "is the same. So write no byte beyond the size that a structure states." },
    [CLAUSE_MEMORY] = { "Memory", "Pointers in arguments are valid until the function returns" },
    [CLAUSE_ERRORS] = { "Errors", "Functions return a ts_status. To explain a failure, call the host's `note` before "
                                  "returning." },
    [CLAUSE_RESULTS] = { "Results", "The same call has the same result, bit for bit, whatever was called before it." },
    [CLAUSE_PROCESS] = { "Process", "Do not print, exit or raise signals." },
    [CLAUSE_ENTRY] = { "touchstone_backend", "Return the backend, or NULL if it does not support this version." },
    [CLAUSE_SIZE] = { "ts_backend.struct_size", "sizeof(ts_backend) of the backend" },
    [CLAUSE_FUNCTIONS] = { "ts_backend", "All functions except `describe_options` and `query_clause` are required." },
    [CLAUSE_OPEN] = { "ts_backend.open", "Create an instance, store a pointer to it in *self and return TS_OK." },
    [CLAUSE_OPTIONS] = { "ts_backend.open", "Return TS_REJECTED for an unknown option or a wrong value, with a note "
                                            "that says what was expected" },
    [CLAUSE_CLOSE] = { "ts_backend.close", "Destroy the instance: free its memory, close its files and end its "
                                           "threads. The suite may call `open` again." },
    [CLAUSE_NOTE] = { "ts_host.note", "Report in one line why something failed. Call it from within a function of "
                                      "ts_backend." },
    [CLAUSE_INFO] = { "ts_backend.info", "Fill in *info, which the suite has set to zero except for struct_size." },
    [CLAUSE_STRINGS] = { "ts_info", "Strings are NUL-terminated UTF-8; leave unknown ones empty." },
    [CLAUSE_LEVEL] = { "ts_info.highest_level", "the highest feature level that it implements; 0: it has no levels" },
    [CLAUSE_ALIGNMENT] = { "ts_info.buffer_alignment", "a power of two up to TS_MAX_ALIGNMENT" },
    [CLAUSE_DESCRIBE] = { "ts_backend.describe_options", "one per line: \"key=value what it does\". The text must "
                                                         "remain valid while the library is loaded." },
    [CLAUSE_QUERY] = { "ts_backend.query", "Return TS_OK if the backend can express this class of calls, otherwise "
                                           "TS_UNSUPPORTED" },
    [CLAUSE_TOKEN] = { "ts_backend.query",
                       "Store a token in *token: the suite passes it with every call of the class" },
    [CLAUSE_QUERY_CLAUSE] = { "ts_backend.query_clause",
                              "Return TS_OK if the backend can pass a descriptor that violates this clause (such as "
                              "\"BUF-12\") of the operator on to the implementation, otherwise TS_UNSUPPORTED" },
    [CLAUSE_SUBMIT] = { "ts_backend.submit", "Execute n calls and store the result of call i in status[i]" },
    [CLAUSE_EMPTY] = { "ts_backend.submit", "if n is 0, nothing is to be done" },
    [CLAUSE_STATUS] = { "ts_status", "The result of a function or of one call." },
    [CLAUSE_REFUSED] = { "ts_status", "A call that was rejected or is unsupported leaves its outputs unchanged." },
    [CLAUSE_CALL] = { "ts_call", "Do not write to it, or to its tensors or attributes." },
    [CLAUSE_INPUT] = { "ts_tensor.data", "Do not write to the data of an input" },
    [CLAUSE_BYTES] = { "ts_tensor.total_bytes", "the call must not touch any byte beyond" },
    [CLAUSE_ANYTHING] = { "ts_tensor", "A negative case may have any value in any member: check before use." },
    [CLAUSE_DESCRIPTOR_ONLY] = { "TS_CALL_DESCRIPTOR_ONLY", "Only determine whether the descriptor is accepted. No "
                                                            "tensor has data; execute nothing." },
    [CLAUSE_REPORTED] = { "ts_tensor.reported", "NULL, or in an output: where a backend whose implementation infers "
                                                "shapes writes the inferred shape" },
    [CLAUSE_DEPENDENT] = { "ts_tensor.data_dependent", "A call that is accepted and has data writes the shape that it "
                                                       "finds to `reported`" },
    [CLAUSE_ABSENT] = { "ts_call.attrs_given", "The members of an absent one have no meaning" },
    [CLAUSE_TOGETHER] = { "ts_backend.submit", "The calls are independent of each other" },
    [CLAUSE_THREADS] = { "Threads", "the suite calls one function of a backend at a time and always from the same "
                                    "thread" },
};

bool probe_contract(size_t i, const char **place, const char **words)
{
    if (i >= CLAUSE_COUNT)
        return false;
    *place = clauses[i].place;
    *words = clauses[i].words;
    return true;
}
