// What a program says to the preload library: the functions of <mpiprof/control.h>, with Fortran's names too,
// MPI_Pcontrol, and what copies of mpiprof in the program have to tell it. What is said before there is a
// tool library is kept for it.
#include <mpiprof/preload/control.hpp>

#include <mpiprof/core/errno_kept.hpp>
#include <mpiprof/preload/load_tool.hpp>
#include <mpiprof/run/parse_settings.hpp>
#include <mpiprof/run/preloaded.hpp>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace mpiprof::inline v1::preload {

namespace {

/// What was said last of pause and resume.
enum class said : unsigned char { nothing, pause, resume };

/// What other copies of mpiprof in the program told.
struct told_nestings {
    std::mutex mutex;
    std::vector<std::ptrdiff_t> distances;
};

/// A phase that a thread began when there was no tool library.
struct early_phase {
    early_phase* outer;
    /// 0 if it is not scoped.
    std::uint64_t ticket;
    /// The tool library's, once it was told; then the entry is there to translate it.
    std::uint64_t tools_ticket;
    bool is_told;
    bool has_name;
    std::string name;
};

/// Of tickets that this library gave out, no tool library.
constexpr std::uint64_t early_ticket = std::uint64_t{1} << 63;

std::atomic<said> last_said{said::nothing};
std::atomic<std::uint64_t> tickets{0};
constinit thread_local early_phase* early_phases = nullptr;

told_nestings& nestings() {
    static auto* const only = new told_nestings;
    return *only;
}

/// Tells the tool library of the phases that the calling thread began before, outermost first.
void tell_phases(preload_interface const& to, early_phase* innermost) noexcept {
    if (innermost == nullptr || innermost->is_told) return;
    tell_phases(to, innermost->outer);
    char const* const name = innermost->has_name ? innermost->name.data() : nullptr;
    if (innermost->ticket == 0) to.phase_begin(name, innermost->name.size());
    else innermost->tools_ticket = to.scoped_phase_begin(name, innermost->name.size());
    innermost->is_told = true;
}

/// Those that the tool library ends by itself are its own now.
void drop_told() noexcept {
    for (auto** each = &early_phases; *each != nullptr;) {
        auto* const one = *each;
        if (one->is_told && one->ticket == 0) {
            *each = one->outer;
            delete one;
        } else {
            each = &one->outer;
        }
    }
}

/// The tool library's controls; nullptr where there is none (yet).
preload_interface const* controls() noexcept {
    auto const* const loaded = loaded_tool();
    if (loaded == nullptr) return nullptr;
    if (early_phases != nullptr) {
        tell_phases(*loaded->controls, early_phases);
        drop_told();
    }
    return loaded->controls;
}

void pause() noexcept {
    last_said = said::pause;
    if (auto const* const to = controls()) to->pause();
}

void resume() noexcept {
    last_said = said::resume;
    if (auto const* const to = controls()) to->resume();
}

void reset() noexcept {
    if (auto const* const to = controls()) to->reset();
}

void write_snapshot() noexcept {
    if (auto const* const to = controls()) to->write_snapshot();
}

std::uint64_t begin_early(char const* name, std::size_t size, std::uint64_t ticket) noexcept try {
    early_phases = new early_phase{
        early_phases, ticket, 0, false, name != nullptr, std::string{name == nullptr ? "" : name, size}};
    return ticket;
} catch (...) {
    return 0;
}

void phase_begin(char const* name, std::size_t size) noexcept {
    if (auto const* const to = controls()) to->phase_begin(name, size);
    else begin_early(name, size, 0);
}

/// Takes an entry out of the calling thread's list.
void forget(early_phase** place) noexcept {
    auto* const one = *place;
    *place = one->outer;
    delete one;
}

void phase_end() noexcept {
    if (auto const* const to = controls()) to->phase_end();
    else if (early_phases != nullptr && early_phases->ticket == 0) forget(&early_phases);
}

std::uint64_t scoped_phase_begin(char const* name, std::size_t size) noexcept {
    if (auto const* const to = controls()) return to->scoped_phase_begin(name, size);
    return begin_early(name, size, early_ticket | ++tickets);
}

void scoped_phase_end(std::uint64_t ticket) noexcept {
    auto const* const to = controls();
    if ((ticket & early_ticket) == 0) {
        if (to != nullptr) to->scoped_phase_end(ticket);
        return;
    }
    auto** place = &early_phases;
    while (*place != nullptr && (*place)->ticket != ticket) place = &(*place)->outer;
    if (*place == nullptr) return;
    if ((*place)->is_told) to->scoped_phase_end((*place)->tools_ticket);
    // What was begun in it and not ended ends with it.
    while (early_phases != *place && early_phases->ticket == 0) {
        bool const before = &early_phases->outer == place;
        forget(&early_phases);
        if (before) place = &early_phases;
    }
    forget(place);
}

void add_nesting(std::ptrdiff_t distance) noexcept try {
    {
        std::lock_guard const lock{nestings().mutex};
        nestings().distances.push_back(distance);
    }
    if (auto const* const to = controls()) to->add_nesting(distance);
} catch (...) {
    return;
}

bool is_paused() noexcept try {
    if (auto const* const to = controls()) return to->is_paused();
    auto const now = last_said.load();
    if (now == said::nothing) return is_linked_only() || environment_settings().start_paused;
    return now == said::pause;
} catch (...) {
    return false;
}

/// The parts of the program that are profiled, of all threads together.
struct profiled_parts {
    std::mutex mutex;
    /// For each that has not ended, whether recording was paused before. Of two that overlap on two threads,
    /// the one that ends first leaves what the other began with.
    std::vector<bool> were_paused;
    bool is_first = true;
};

profiled_parts& parts() {
    static auto* const only = new profiled_parts;
    return *only;
}

void begin_profiling() noexcept try {
    std::lock_guard const lock{parts().mutex};
    parts().were_paused.push_back(is_paused() || (parts().is_first && is_linked_only()));
    parts().is_first = false;
    start_wrapping();
    resume();
} catch (...) {
    return;
}

void end_profiling() noexcept try {
    std::lock_guard const lock{parts().mutex};
    if (parts().were_paused.empty()) return;
    bool const pauses = parts().were_paused.back();
    parts().were_paused.pop_back();
    if (pauses) pause();
    else resume();
} catch (...) {
    return;
}

using queries_flag = int (*)(int*);

/// Asks PMPI_Initialized or PMPI_Finalized.
bool asks(char const* name) noexcept {
    auto const ask = reinterpret_cast<queries_flag>(real_function(name));
    int flag = 0;
    if (ask != nullptr) ask(&flag);
    return flag != 0;
}

}  // namespace

void tell_what_was_said(tool const& loaded) noexcept try {
    auto const now = last_said.load();
    if (now == said::pause) loaded.controls->pause();
    if (now == said::resume) loaded.controls->resume();
    std::lock_guard const lock{nestings().mutex};
    for (auto const distance : nestings().distances) loaded.controls->add_nesting(distance);
    tell_phases(*loaded.controls, early_phases);
    drop_told();
} catch (...) {
    return;
}

bool is_linked_only() noexcept {
    static bool const only = [] {
        char const* const preloaded = std::getenv("LD_PRELOAD");
        return std::getenv("MPIPROF_JOB") == nullptr &&
               (preloaded == nullptr ||
                std::string_view{preloaded}.find("libmpiprof_preload") == std::string_view::npos);
    }();
    return only;
}

}  // namespace mpiprof::inline v1::preload

namespace preload = mpiprof::preload;

#define MPIPROF_INTERNAL_SHOWN [[gnu::visibility("default")]]

extern "C" {

MPIPROF_INTERNAL_SHOWN extern mpiprof::preload_interface const mpiprof_preload_interface;
mpiprof::preload_interface const mpiprof_preload_interface{
    .pause = &preload::pause,
    .resume = &preload::resume,
    .reset = &preload::reset,
    .write_snapshot = &preload::write_snapshot,
    .phase_begin = &preload::phase_begin,
    .phase_end = &preload::phase_end,
    .scoped_phase_begin = &preload::scoped_phase_begin,
    .scoped_phase_end = &preload::scoped_phase_end,
    .add_nesting = &preload::add_nesting,
    .is_paused = &preload::is_paused,
};

MPIPROF_INTERNAL_SHOWN void mpiprof_pause() { preload::pause(); }
MPIPROF_INTERNAL_SHOWN void mpiprof_resume() { preload::resume(); }
MPIPROF_INTERNAL_SHOWN void mpiprof_reset() { preload::reset(); }
MPIPROF_INTERNAL_SHOWN void mpiprof_write_snapshot() { preload::write_snapshot(); }
MPIPROF_INTERNAL_SHOWN void mpiprof_phase_end() { preload::phase_end(); }
MPIPROF_INTERNAL_SHOWN void mpiprof_phase_begin(char const* name) {
    preload::phase_begin(name, name == nullptr ? 0 : std::string_view{name}.size());
}

// As Fortran calls them.
MPIPROF_INTERNAL_SHOWN void mpiprof_pause_() { preload::pause(); }
MPIPROF_INTERNAL_SHOWN void mpiprof_resume_() { preload::resume(); }
MPIPROF_INTERNAL_SHOWN void mpiprof_reset_() { preload::reset(); }
MPIPROF_INTERNAL_SHOWN void mpiprof_write_snapshot_() { preload::write_snapshot(); }
MPIPROF_INTERNAL_SHOWN void mpiprof_phase_end_() { preload::phase_end(); }
MPIPROF_INTERNAL_SHOWN void mpiprof_phase_begin_(char const* name, std::size_t length) {
    while (length > 0 && name[length - 1] == ' ') --length;
    preload::phase_begin(name, length);
}

/// The beginning of a scoped_profiling.
MPIPROF_INTERNAL_SHOWN void mpiprof_begin_profiling() { preload::begin_profiling(); }

/// Its end.
MPIPROF_INTERNAL_SHOWN void mpiprof_end_profiling() { preload::end_profiling(); }

/// Obeys MPI_Pcontrol. Returns where the call goes on: nowhere while MPI does not run, since the libraries
/// end a program that calls them then.
preload::function_address mpiprof_obey(int level) noexcept {
    mpiprof::detail::errno_kept const kept;
    if (level == 0) preload::pause();
    if (level == 1) preload::resume();
    if (level == 2) preload::write_snapshot();
    bool const runs = preload::asks("PMPI_Initialized") && !preload::asks("PMPI_Finalized");
    return runs ? preload::real_function("PMPI_Pcontrol") : nullptr;
}
}

// Variadic, so the call goes on with all that it came with. Fortran's MPI_PCONTROL jumps to PMPI_Pcontrol.
asm(R"(
    .text
    .globl MPI_Pcontrol
    .type MPI_Pcontrol, @function
    .globl PMPI_Pcontrol
    .type PMPI_Pcontrol, @function
    .hidden mpiprof_obey
    .balign 16
MPI_Pcontrol:
PMPI_Pcontrol:
    push %rdi
    push %rsi
    push %rdx
    push %rcx
    push %r8
    push %r9
    push %rax
    sub $128, %rsp
    movups %xmm0, (%rsp)
    movups %xmm1, 16(%rsp)
    movups %xmm2, 32(%rsp)
    movups %xmm3, 48(%rsp)
    movups %xmm4, 64(%rsp)
    movups %xmm5, 80(%rsp)
    movups %xmm6, 96(%rsp)
    movups %xmm7, 112(%rsp)
    call mpiprof_obey
    mov %rax, %r11
    movups (%rsp), %xmm0
    movups 16(%rsp), %xmm1
    movups 32(%rsp), %xmm2
    movups 48(%rsp), %xmm3
    movups 64(%rsp), %xmm4
    movups 80(%rsp), %xmm5
    movups 96(%rsp), %xmm6
    movups 112(%rsp), %xmm7
    add $128, %rsp
    pop %rax
    pop %r9
    pop %r8
    pop %rcx
    pop %rdx
    pop %rsi
    pop %rdi
    test %r11, %r11
    jz 1f
    jmp *%r11
1:  xor %eax, %eax
    ret
    .size MPI_Pcontrol, . - MPI_Pcontrol
    .size PMPI_Pcontrol, . - PMPI_Pcontrol
)");
