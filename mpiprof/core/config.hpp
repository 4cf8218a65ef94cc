// The on/off switch. Compile with -DMPIPROF_DISABLED to turn profiling off for a translation unit.
//
// What depends on the switch lives in an inline namespace named after it, so translation units of both
// settings can be linked into one program: their entities have different names.
#pragma once

#if !defined(__cpp_concepts) || __cplusplus < 202002L
#error "mpiprof needs C++20: compile with -std=c++20 or later"
#endif

#ifndef __SIZEOF_INT128__
#error "mpiprof needs g++ or clang for a 64-bit processor"
#endif

#ifdef MPIPROF_DISABLED
#define MPIPROF_INTERNAL_SETTING disabled
#else
#define MPIPROF_INTERNAL_SETTING enabled
#endif

/// Of a lambda that makes the real call: with profiling off it must leave nothing behind but that call, which
/// compilers do not see to by themselves at all levels. (As an attribute in brackets it is C++23.)
#define MPIPROF_INTERNAL_INLINE __attribute__((always_inline))

/// `MPIPROF_INTERNAL_TRY { … } MPIPROF_INTERNAL_CATCH_ALL { … }` in a function's body: try and catch (...),
/// of which -fno-exceptions leaves the first block.
#ifdef __cpp_exceptions
#define MPIPROF_INTERNAL_TRY try
#define MPIPROF_INTERNAL_CATCH_ALL catch (...)
#else
#define MPIPROF_INTERNAL_TRY if constexpr (true)
#define MPIPROF_INTERNAL_CATCH_ALL else
#endif

namespace mpiprof::inline v1 {

/// Version of the library, major * 10000 + minor * 100 + patch.
inline constexpr int version = 100;

}  // namespace mpiprof::inline v1
