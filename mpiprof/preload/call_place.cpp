#include <mpiprof/preload/call_place.hpp>

#include <mpiprof/core/errno_kept.hpp>
#include <mpiprof/preload/frame_size.hpp>
#include <mpiprof/preload/loaded_module.hpp>

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unwind.h>

namespace mpiprof::inline v1::preload {

namespace detail {

namespace {

constexpr int most_frames = 16;
constinit std::atomic<int> place_depth{1};

// Even addresses, as texts have.
alignas(2) constexpr char no_module[] = "(no module)";
alignas(2) constexpr char other_places[] = "(other places)";

// Keys beside return addresses, which have neither of these bits: a frame of a place of several, whose text
// is not that of the place, and the place.
constexpr std::uintptr_t frame_bit = std::uintptr_t{1} << 62;
constexpr std::uintptr_t stack_bit = std::uintptr_t{1} << 63;

/// Keeps a text for good; its address is even. nullptr where there is no memory.
char const* keep(char const* text) noexcept {
    auto const size = std::strlen(text) + 1;
    auto* const kept = std::malloc(size);
    return kept == nullptr ? nullptr : static_cast<char const*>(std::memcpy(kept, text, size));
}

std::uintptr_t value_of(char const* text) noexcept { return reinterpret_cast<std::uintptr_t>(text); }
char const* text_of(std::uintptr_t value) noexcept {
    return value != 0 && value % 2 == 0 ? reinterpret_cast<char const*>(value) : nullptr;
}

using place_text = char[sizeof(loaded_module::path) + 64];

/// "/path/of/module@0123456789abcdef+0x1234".
void write_place(loaded_module const& module, std::uintptr_t address, place_text& text) noexcept {
    char id[2 * sizeof module.build_id + 2] = {};
    for (std::size_t byte = 0; byte < module.build_id_size; ++byte)
        std::snprintf(id + 1 + 2 * byte, 3, "%02x", static_cast<unsigned>(module.build_id[byte]));
    if (module.build_id_size > 0) id[0] = '@';
    std::snprintf(text, sizeof text, "%s%s+0x%llx", module.path, id,
                  static_cast<unsigned long long>(address - module.base));
}

/// The value for an address of the program or of the Fortran layer. A text that is as `present` is not kept
/// again. 0 where there is no memory.
std::uintptr_t describe(std::uintptr_t address, std::uintptr_t present,
                        unsigned long long& unloaded) noexcept {
    loaded_module module;
    place_text text;
    bool const found = find_module(address, module);
    unloaded = module.unloaded;
    if (!found) return value_of(no_module);
    if (module.is_fortran_layer()) return constant_frame_size(address) | 1;
    write_place(module, address, text);
    auto const* const known = text_of(present);
    return known != nullptr && std::strcmp(known, text) == 0 ? present : value_of(keep(text));
}

/// Describes all addresses anew, since others may lie there now. What is of no module is left to the next
/// call from there: a module may yet come.
void renew_places() noexcept {
    known_places.for_each([](std::uintptr_t key, std::atomic<std::uintptr_t>& value) {
        if ((key & stack_bit) != 0) return;
        unsigned long long unloaded = 0;
        auto const now = describe(key & ~frame_bit, value.load(std::memory_order_acquire), unloaded);
        value.store(now == value_of(no_module) ? 0 : now, std::memory_order_release);
    });
}

std::uintptr_t overflowed() noexcept {
    static constinit std::atomic<bool> told{false};
    if (!told.exchange(true, std::memory_order_relaxed)) {
        std::fprintf(stderr, "mpiprof: more than %zu call sites; all further ones stand together as '%s'\n",
                     place_table::capacity, other_places);
    }
    return value_of(other_places);
}

/// What is known of an address, under its own key or with the frames' bit.
std::uintptr_t look_up(std::uintptr_t address, std::uintptr_t bit) noexcept {
    static constinit std::atomic<unsigned long long> unloaded_before{0};
    auto* const value = known_places.find(address | bit);
    if (value == nullptr) return overflowed();
    if (auto const known = value->load(std::memory_order_acquire); known != 0) return known;
    unsigned long long unloaded = 0;
    auto const made = describe(address, 0, unloaded);
    value->store(made, std::memory_order_release);
    if (unloaded_before.exchange(unloaded, std::memory_order_relaxed) != unloaded) renew_places();
    return made;
}

/// The program's frames from a return address outwards, those of the Fortran layer left out.
struct frames {
    std::uintptr_t first;
    int wanted;
    std::uintptr_t bit;
    bool begun = false;
    int number = 0;
    std::uintptr_t texts[most_frames] = {};
};

_Unwind_Reason_Code visit_frame(_Unwind_Context* context, void* argument) {
    auto& to = *static_cast<frames*>(argument);
    auto const address = static_cast<std::uintptr_t>(_Unwind_GetIP(context));
    to.begun = to.begun || address == to.first;
    if (!to.begun || address == 0) return _URC_NO_REASON;
    auto const value = look_up(address, to.bit);
    if (text_of(value) != nullptr) to.texts[to.number++] = value;
    return to.number == to.wanted ? _URC_NORMAL_STOP : _URC_NO_REASON;
}

/// The texts of several frames as one.
std::uintptr_t join(frames const& of) noexcept {
    constexpr char const* between = " < ";
    std::size_t size = 1;
    for (int number = 0; number < of.number; ++number)
        size += std::strlen(text_of(of.texts[number])) + std::strlen(between);
    auto* const text = static_cast<char*>(std::malloc(size));
    if (text == nullptr) return 0;
    auto* end = text;
    for (int number = 0; number < of.number; ++number) {
        end = stpcpy(end, number == 0 ? "" : between);
        end = stpcpy(end, text_of(of.texts[number]));
    }
    return value_of(text);
}

/// The place made of these frames. They are told apart by their texts, which are others when other modules
/// have their addresses.
std::uintptr_t look_up(frames const& of) noexcept {
    if (of.number <= 1) return of.texts[0];
    std::uint64_t hash = 0;
    for (int number = 0; number < of.number; ++number) {
        hash = (hash ^ of.texts[number]) * 0x9e3779b97f4a7c15;
        hash ^= hash >> 32;
    }
    auto* const value = known_places.find(hash | stack_bit);
    if (value == nullptr) return overflowed();
    auto known = value->load(std::memory_order_acquire);
    if (known == 0) value->store(known = join(of), std::memory_order_release);
    return known;
}

/// Walks the stack.
std::uintptr_t walk(std::uintptr_t return_address, int wanted) noexcept {
    frames found{return_address, wanted, wanted > 1 ? frame_bit : 0};
    ::_Unwind_Backtrace(&visit_frame, &found);
    return look_up(found);
}

/// Goes from frame to frame of the Fortran layer, which are of known size, to the first of the program.
std::uintptr_t step(std::uintptr_t return_address, void const* const* slot) noexcept {
    constexpr int most_layers = 16;
    auto address = return_address;
    for (int layer = 0; layer < most_layers; ++layer) {
        auto const value = look_up(address, 0);
        if (value % 2 == 0) return value;
        auto const distance = value - 1;
        if (distance == 0) return walk(return_address, 1);
        slot += distance / sizeof *slot;
        address = reinterpret_cast<std::uintptr_t>(*slot);
    }
    return 0;
}

[[gnu::cold, gnu::noinline]] call_site look_for_place(std::uintptr_t address,
                                                      void const* const* slot) noexcept {
    mpiprof::detail::errno_kept const kept;
    auto const depth = place_depth.load(std::memory_order_relaxed);
    auto const* const text = text_of(depth > 1 ? walk(address, depth) : step(address, slot));
    return text == nullptr ? call_site{} : call_site{text, 0};
}

}  // namespace

namespace {

/// The text of a place that is known already, through as many layers as there are; nullptr where it is not.
char const* known_text(std::uintptr_t address, void const* const* slot) noexcept {
    for (;;) {
        auto const value = known_places.match(address);
        if (auto const* const text = text_of(value)) return text;
        if (value <= 1) return nullptr;
        slot += (value - 1) / sizeof *slot;
        address = reinterpret_cast<std::uintptr_t>(*slot);
    }
}

}  // namespace

call_site find_place(void const* return_address, void const* const* slot) noexcept {
    auto const address = reinterpret_cast<std::uintptr_t>(return_address);
    auto const* const text = known_text(address, slot);
    return text == nullptr ? look_for_place(address, slot) : call_site{text, 0};
}

}  // namespace detail

call_site known_place_of_caller(void const* return_address, void const* const* slot) noexcept {
    auto const* const text = detail::known_text(reinterpret_cast<std::uintptr_t>(return_address), slot);
    return text == nullptr ? call_site{} : call_site{text, 0};
}

void set_place_depth(int frames) noexcept {
    auto const depth = frames < 1 ? 1 : frames > detail::most_frames ? detail::most_frames : frames;
    detail::place_depth.store(depth, std::memory_order_relaxed);
}

}  // namespace mpiprof::inline v1::preload
