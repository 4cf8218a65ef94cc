// Where a call of an unmodified program stands: its return address, as a place in a file that is the same on
// every rank.
#pragma once

#include <mpiprof/core/call_site.hpp>
#include <mpiprof/preload/place_table.hpp>

#include <cstdint>

namespace mpiprof::inline v1::preload {

namespace detail {

/// By return address: the address of the place's text, or, of an address in the MPI library's Fortran layer,
/// an odd number: 1 and the distance in bytes between the stack slots that hold it and its caller's (0 where
/// that is not always the same).
inline constinit place_table known_places;

/// The place of a call whose address has no text (yet).
call_site find_place(void const* return_address, void const* const* slot) noexcept;

}  // namespace detail

/// The place of the program's call that a wrapper of an MPI function serves: a text of the form
/// "/path/of/module@<first 16 hex digits of its build id>+0x<offset>" (the @… only where the module has a
/// build id) and line 0. The text lives as long as the process. The offset is the return address less the
/// module's load base, what `addr2line -e` calls an address: the call itself lies before it, so whoever
/// resolves it takes 1 off. Calls from the MPI library's Fortran layer have the place where that was called.
/// With `set_place_depth`, callers follow, " < " before each.
///
/// "(no module)" is code that belongs to no file, as compiled just in time. After 65536 places all further
/// ones are "(other places)", which is said once on stderr. Where a module is unloaded and another one takes
/// its addresses, calls from there may have the old one's place until the first call from a new address.
///
/// `return_address` is the wrapper's, and `slot` where on the stack it lies: on x86-64
/// `static_cast<void**>(__builtin_frame_address(0)) + 1`; other processors do not look at it.
[[gnu::always_inline]] inline call_site place_of_caller(void const* return_address,
                                                        void const* const* slot) noexcept {
    auto const known = detail::known_places.match(reinterpret_cast<std::uintptr_t>(return_address));
    if (known != 0 && known % 2 == 0) [[likely]]
        return call_site{reinterpret_cast<char const*>(known), 0};
    return detail::find_place(return_address, slot);
}

/// The same of a place that `place_of_caller` was asked for before; else none. It only reads, so that it may
/// be called in a signal handler.
call_site known_place_of_caller(void const* return_address, void const* const* slot) noexcept;

/// How many frames of the program a place is made of, from 1 (which it is at first: no stack is ever walked)
/// to 16. To be set before the first call of `place_of_caller`.
void set_place_depth(int frames) noexcept;

}  // namespace mpiprof::inline v1::preload
