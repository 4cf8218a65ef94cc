/* What a C program, or a C part of any program, can say to mpiprof while it runs. It needs nothing linked, and
 * nothing happens where mpiprof is not there.
 *
 * It reaches the preload library, or a C++ program's recordings, one unit of which includes
 * <mpiprof/control.hpp>.
 */
#ifndef MPIPROF_CONTROL_H
#define MPIPROF_CONTROL_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The functions under names of ours, since the ones below have theirs. An executable at a fixed address has
 * no undefined weak symbols left, so what is not linked is looked for when the program runs. */
extern void mpiprof_linked_pause(void) __asm__("mpiprof_pause") __attribute__((weak));
extern void mpiprof_linked_resume(void) __asm__("mpiprof_resume") __attribute__((weak));
extern void mpiprof_linked_reset(void) __asm__("mpiprof_reset") __attribute__((weak));
extern void mpiprof_linked_write_snapshot(void) __asm__("mpiprof_write_snapshot") __attribute__((weak));
extern void mpiprof_linked_phase_begin(const char* name) __asm__("mpiprof_phase_begin")
    __attribute__((weak));
extern void mpiprof_linked_phase_end(void) __asm__("mpiprof_phase_end") __attribute__((weak));
extern void* mpiprof_linked_dlsym(void* handle, const char* name) __asm__("dlsym") __attribute__((weak));

/* Of a name of ours for the assembler, so that none is taken for the function itself. */
static inline void mpiprof_pause(void) __asm__("mpiprof_c_pause");
static inline void mpiprof_resume(void) __asm__("mpiprof_c_resume");
static inline void mpiprof_reset(void) __asm__("mpiprof_c_reset");
static inline void mpiprof_write_snapshot(void) __asm__("mpiprof_c_write_snapshot");
static inline void mpiprof_phase_begin(const char* name) __asm__("mpiprof_c_phase_begin");
static inline void mpiprof_phase_end(void) __asm__("mpiprof_c_phase_end");

/* A function, by name, as far as the process has it; *kept is where it is kept, NULL at first. */
static inline void* mpiprof_look_up(const char* name, void** kept) {
    static char none;
    void* found = __atomic_load_n(kept, __ATOMIC_ACQUIRE);
    if (found == NULL) {
        found = mpiprof_linked_dlsym != NULL ? mpiprof_linked_dlsym(NULL, name) : NULL;
        if (found == NULL) found = &none;
        __atomic_store_n(kept, found, __ATOMIC_RELEASE);
    }
    return found == &none ? NULL : found;
}

static inline void mpiprof_call(void (*linked)(void), const char* name, void** kept) {
    void* found = NULL;
    if (linked == NULL) {
        found = mpiprof_look_up(name, kept);
        __builtin_memcpy(&linked, &found, sizeof found);
    }
    if (linked != NULL) linked();
}

/* Nothing is recorded until mpiprof_resume. */
static inline void mpiprof_pause(void) {
    static void* found;
    mpiprof_call(mpiprof_linked_pause, "mpiprof_pause", &found);
}

static inline void mpiprof_resume(void) {
    static void* found;
    mpiprof_call(mpiprof_linked_resume, "mpiprof_resume", &found);
}

/* Forgets what was recorded so far. */
static inline void mpiprof_reset(void) {
    static void* found;
    mpiprof_call(mpiprof_linked_reset, "mpiprof_reset", &found);
}

/* Writes the results so far to files. */
static inline void mpiprof_write_snapshot(void) {
    static void* found;
    mpiprof_call(mpiprof_linked_write_snapshot, "mpiprof_write_snapshot", &found);
}

/* The calling thread enters the phase of this name, until mpiprof_phase_end on the same thread. They nest. */
static inline void mpiprof_phase_begin(const char* name) {
    static void* kept;
    void (*begin)(const char*) = mpiprof_linked_phase_begin;
    if (begin == NULL) {
        void* const found = mpiprof_look_up("mpiprof_phase_begin", &kept);
        __builtin_memcpy(&begin, &found, sizeof found);
    }
    if (begin != NULL) begin(name);
}

static inline void mpiprof_phase_end(void) {
    static void* found;
    mpiprof_call(mpiprof_linked_phase_end, "mpiprof_phase_end", &found);
}

#ifdef __cplusplus
}
#endif

#endif
