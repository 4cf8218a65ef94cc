// The processor's own counter of time.
#pragma once

#include <mpiprof/core/config.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string_view>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace mpiprof::inline v1::timing::detail {

/// Whether the processor has a counter that runs at one rate through all sleep and speed states, and that the
/// kernel has not found to differ between cores.
struct counter_register {
#if defined(__x86_64__)
    /// Without a fence: what surrounds it may move by some tens of cycles.
    [[gnu::always_inline]] static std::int64_t read() noexcept {
        return static_cast<std::int64_t>(__builtin_ia32_rdtsc());
    }
    /// Bit 8 of EDX in leaf 80000007H: invariant TSC (Intel SDM volume 3, section 18.17.1).
    static bool invariant() noexcept {
        unsigned a = 0, b = 0, c = 0, d = 0;
        return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d >> 8 & 1) != 0;
    }
    static constexpr char const* kernel_name = "tsc";
#elif defined(__aarch64__)
    [[gnu::always_inline]] static std::int64_t read() noexcept {
        std::int64_t value;
        asm volatile("mrs %0, cntvct_el0" : "=r"(value));
        return value;
    }
    /// The generic timer is one for the system, at a fixed rate (Arm ARM, section D11.1.2).
    static bool invariant() noexcept { return true; }
    static constexpr char const* kernel_name = "arch_sys_counter";
#else
    static std::int64_t read() noexcept { return 0; }
    static bool invariant() noexcept { return false; }
    static constexpr char const* kernel_name = "";
#endif

    /// `clock_sources` are the kernel's, by name, "" where they are not known: it leaves out what it has
    /// found unstable.
    static bool usable(bool is_invariant, std::string_view clock_sources) noexcept {
        if (!is_invariant || clock_sources.empty()) return is_invariant;
        while (!clock_sources.empty()) {
            auto const length = std::min(clock_sources.find_first_of(" \n"), clock_sources.size());
            if (clock_sources.substr(0, length) == kernel_name) return true;
            clock_sources.remove_prefix(std::min(length + 1, clock_sources.size()));
        }
        return false;
    }

    /// Asks this machine.
    static bool usable() noexcept {
        char text[256] = {};
        constexpr auto* path = "/sys/devices/system/clocksource/clocksource0/available_clocksource";
        if (auto* const file = std::fopen(path, "re")) {
            text[std::fread(text, 1, sizeof text - 1, file)] = '\0';
            std::fclose(file);
        }
        return usable(invariant(), text);
    }
};

}  // namespace mpiprof::inline v1::timing::detail
