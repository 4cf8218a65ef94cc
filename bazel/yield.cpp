// To be linked into a program. MPICH waits by polling, without ever yielding its core, so ranks that have no
// core of their own wait for those that only poll. UCX's function, by which it polls, yields here when
// nothing happens.
#include <dlfcn.h>
#include <sched.h>

extern "C" unsigned ucp_worker_progress(void* worker) {
    static auto* const of_ucx =
        reinterpret_cast<unsigned (*)(void*)>(dlsym(RTLD_NEXT, "ucp_worker_progress"));
    static thread_local int idle_polls = 0;
    unsigned const events = of_ucx(worker);
    if (events != 0) idle_polls = 0;
    else if (++idle_polls == 20) {
        idle_polls = 0;
        sched_yield();
    }
    return events;
}
