/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults of a guarded call, on Windows. A vectored handler sees each exception first. If the exception is a fault of
 * the guarded call, the thread continues at the start of platform_guarded_call. abort() raises no exception, but a
 * signal of the C library. __fastfail and TerminateProcess end the process without any handler: the parent sees its
 * exit status.
 */
#include "harness/base/platform.h"
#include "harness/base/platform_process.h"
#include "harness/base/platform_win32.h"

#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns a second time after a fault has ended the call. */
NTSYSAPI VOID NTAPI RtlCaptureContext(PCONTEXT context) __attribute__((returns_twice));

/* Stack space that remains for the handler after a stack overflow. */
#define STACK_LEFT (64 * 1024)

/* A handler has no other way to find the call that it interrupts. */
static struct {
    volatile bool armed;
    volatile bool tracing; /* the stack trace of a fault is being collected */
    volatile bool overflowed;
    volatile bool back_again;
    DWORD thread; /* that executes the call */
    CONTEXT back; /* the state at the start of the call */
    platform_fault fault;
    void *handler;
} guard;

/* The exceptions that correspond to C's signals. Other exceptions are no faults, or belong to the library under
   test. */
static const struct {
    DWORD code;
    int number;
    const char *name;
} caught[] = {
    { EXCEPTION_ACCESS_VIOLATION, SIGSEGV, "SIGSEGV" },
    { EXCEPTION_IN_PAGE_ERROR, SIGSEGV, "SIGSEGV" },
    { EXCEPTION_STACK_OVERFLOW, SIGSEGV, "SIGSEGV" },
    { EXCEPTION_DATATYPE_MISALIGNMENT, SIGSEGV, "SIGSEGV" },
    { EXCEPTION_ILLEGAL_INSTRUCTION, SIGILL, "SIGILL" },
    { EXCEPTION_PRIV_INSTRUCTION, SIGILL, "SIGILL" },
    { EXCEPTION_INT_DIVIDE_BY_ZERO, SIGFPE, "SIGFPE" },
    { EXCEPTION_INT_OVERFLOW, SIGFPE, "SIGFPE" },
    { EXCEPTION_FLT_DIVIDE_BY_ZERO, SIGFPE, "SIGFPE" },
    { EXCEPTION_FLT_INVALID_OPERATION, SIGFPE, "SIGFPE" },
    { EXCEPTION_FLT_OVERFLOW, SIGFPE, "SIGFPE" },
    { EXCEPTION_FLT_UNDERFLOW, SIGFPE, "SIGFPE" },
    { 0, SIGABRT, "SIGABRT" },
};

/* Collect a stack trace from the unwind tables. */
static void trace(CONTEXT at)
{
    guard.fault.frame_count = 0;
    guard.tracing = true;
    while (at.Rip && guard.fault.frame_count < PLATFORM_FRAMES) {
        guard.fault.frames[guard.fault.frame_count++] = (void *)(uintptr_t)at.Rip;
        ULONG64 base, frame, before = at.Rsp;
        void *data;
        RUNTIME_FUNCTION *function = RtlLookupFunctionEntry(at.Rip, &base, NULL);
        if (function) {
            RtlVirtualUnwind(UNW_FLAG_NHANDLER, base, at.Rip, function, &at, &data, &frame, NULL);
        } else { /* a leaf function, or no code at all: a call through a bad pointer */
            at.Rip = *(const ULONG64 *)(uintptr_t)at.Rsp;
            at.Rsp += sizeof(ULONG64);
        }
        if (at.Rsp <= before)
            break;
    }
    guard.tracing = false;
}

static LONG CALLBACK on_exception(EXCEPTION_POINTERS *what)
{
    const EXCEPTION_RECORD *record = what->ExceptionRecord;
    size_t i = 0;
    if (platform_win32_commit(record))
        return EXCEPTION_CONTINUE_EXECUTION;
    if (GetCurrentThreadId() != guard.thread)
        return EXCEPTION_CONTINUE_SEARCH; /* another thread cannot continue at the start of the call */
    while (i < sizeof caught / sizeof caught[0] && caught[i].code != record->ExceptionCode)
        ++i;
    if (i == sizeof caught / sizeof caught[0] || record->ExceptionCode == 0)
        return EXCEPTION_CONTINUE_SEARCH;
    if (guard.tracing) { /* the stack is corrupted: no stack trace */
        guard.tracing = false;
        *what->ContextRecord = guard.back;
        return EXCEPTION_CONTINUE_EXECUTION;
    }
    if (!guard.armed)
        return EXCEPTION_CONTINUE_SEARCH;
    guard.armed = false;
    guard.back_again = true;
    bool touched =
        record->ExceptionCode == EXCEPTION_ACCESS_VIOLATION && record->NumberParameters >= 2 &&
        record->ExceptionInformation[1] != (ULONG_PTR)-1; /* no address, for example because it is not canonical */
    guard.overflowed = record->ExceptionCode == EXCEPTION_STACK_OVERFLOW;
    guard.fault.signal = caught[i].number;
    guard.fault.name = caught[i].name;
    guard.fault.touched = touched;
    guard.fault.address = touched ? (void *)record->ExceptionInformation[1] : NULL;
    guard.fault.write = touched && record->ExceptionInformation[0] == 1;
    trace(*what->ContextRecord);
    *what->ContextRecord = guard.back;
    return EXCEPTION_CONTINUE_EXECUTION;
}

/* Handle abort(), and raise() of any signal. */
static void on_signal(int number)
{
    CONTEXT here;
    signal(number, on_signal);                                  /* Windows resets the handler before each call */
    if (!guard.armed || GetCurrentThreadId() != guard.thread) { /* not in a guarded call: end the process */
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    guard.armed = false;
    guard.back_again = true;
    guard.overflowed = false;
    guard.fault = (platform_fault){ .signal = number, .name = "?" };
    for (size_t i = 0; i < sizeof caught / sizeof caught[0]; ++i)
        if (caught[i].number == number)
            guard.fault.name = caught[i].name;
    RtlCaptureContext(&here);
    trace(here);
    RtlRestoreContext(&guard.back, NULL);
}

void platform_prepare_faults(void)
{
}

void platform_install_fault_handlers(void)
{
    ULONG left = STACK_LEFT;
    SetThreadStackGuarantee(&left);
    if (guard.handler) /* register it again: the handler registered last is called first */
        RemoveVectoredExceptionHandler(guard.handler);
    guard.handler = AddVectoredExceptionHandler(1, on_exception);
    for (size_t i = 0; i < sizeof caught / sizeof caught[0]; ++i)
        signal(caught[i].number, on_signal);
}

void platform_process_allow_interrupt(const _Atomic uint64_t *step, const _Atomic uint64_t *interrupt)
{
    (void)step; /* no call can be interrupted here; the run kills the process instead */
    (void)interrupt;
}

bool platform_guarded_call(void (*f)(void *context), void *context, platform_fault *fault)
{
    platform_fault *volatile out = fault; /* volatile: used after the second return */
    if (!guard.handler)
        platform_install_fault_handlers();
    guard.thread = GetCurrentThreadId();
    guard.back_again = false;
    RtlCaptureContext(&guard.back);
    if (!guard.back_again) {
        guard.armed = true;
        f(context);
        guard.armed = false;
        return true;
    }
    if (guard.overflowed)
        _resetstkoflw(); /* restore the guard page: without it, the next overflow would end the process */
    *out = guard.fault;
    return false;
}

/* ---- frames ---- */

/* The name of the function that a module exports at an address, or NULL. */
static const char *export_at(const unsigned char *base, DWORD place)
{
    const IMAGE_DOS_HEADER *dos = (const void *)base;
    const IMAGE_NT_HEADERS *nt = (const void *)(base + dos->e_lfanew);
    const IMAGE_DATA_DIRECTORY *where = &nt->OptionalHeader.DataDirectory[IMAGE_DIRECTORY_ENTRY_EXPORT];
    if (dos->e_magic != IMAGE_DOS_SIGNATURE || nt->Signature != IMAGE_NT_SIGNATURE || where->Size == 0)
        return NULL;
    const IMAGE_EXPORT_DIRECTORY *exports = (const void *)(base + where->VirtualAddress);
    const DWORD *functions = (const void *)(base + exports->AddressOfFunctions);
    const DWORD *names = (const void *)(base + exports->AddressOfNames);
    const WORD *numbers = (const void *)(base + exports->AddressOfNameOrdinals);
    for (DWORD i = 0; i < exports->NumberOfNames; ++i)
        if (functions[numbers[i]] == place)
            return (const char *)base + names[i];
    return NULL;
}

/* The module, the function's start from the unwind tables, and its name if it is exported. */
void platform_describe_frame(void *frame, char *buf, size_t size)
{
    HMODULE module;
    ULONG64 start;
    char path[MAX_PATH * 4];
    *buf = '\0';
    if (!frame ||
        !GetModuleHandleExA(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                            frame, &module) ||
        module == GetModuleHandleA(NULL) || !GetModuleFileNameA(module, path, sizeof path))
        return;
    path[sizeof path - 1] = '\0';
    const RUNTIME_FUNCTION *function = RtlLookupFunctionEntry((ULONG64)(uintptr_t)frame, &start, NULL);
    const unsigned char *base = (const unsigned char *)module;
    const char *name = function ? export_at(base, function->BeginAddress) : NULL;
    const size_t offset = (size_t)((const unsigned char *)frame - base) - (name ? function->BeginAddress : 0);
    snprintf(buf, size, "%s+0x%zx in %s", name ? name : "?", offset, platform_file_name(path));
}
