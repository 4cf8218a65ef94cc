// What the operating system says of a process.
#pragma once

#include <mpiprof/core/config.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>

namespace mpiprof::inline v1::detail {

/// A process as /proc shows it.
struct process_status {
    /// The name of its program, cut after 15 characters.
    std::string name = {};
    /// proc(5)'s letter, 'Z' for one that has ended and that its parent has not waited for; 0 where there is
    /// no such process.
    char state = 0;
    std::int64_t parent = 0;
    std::int64_t threads = 0;
    /// When it started, in ticks since the machine did: with its id the name of a process for good.
    std::uint64_t start = 0;

    bool alive() const noexcept {
        // The first thread of a process may end before the others.
        bool const ended = state == 'Z' || state == 'X';
        return state != 0 && (!ended || threads > 1);
    }
};

/// A small file's text, "" where it cannot be read.
inline std::string file_text(std::string const& path) {
    std::string text(4096, '\0');
    std::size_t size = 0;
    if (auto* const file = std::fopen(path.c_str(), "re")) {
        size = std::fread(text.data(), 1, text.size(), file);
        std::fclose(file);
    }
    text.resize(size);
    return text;
}

inline process_status status_of(std::int64_t process) {
    process_status status;
    auto const text = file_text("/proc/" + std::to_string(process) + "/stat");
    auto const open = text.find('(');
    // The name may have any character in it.
    auto const close = text.rfind(')');
    if (open == std::string::npos || close == std::string::npos || close + 2 >= text.size()) return status;
    status.name = text.substr(open + 1, close - open - 1);
    status.state = text[close + 2];
    char const* next = text.c_str() + close + 3;
    // The fields from the 4th on are numbers.
    constexpr int parent = 4;
    constexpr int threads = 20;
    constexpr int start = 22;
    for (int field = parent; field <= start; ++field) {
        char* end = nullptr;
        auto const value = std::strtoll(next, &end, 10);
        if (end == next) return status;
        next = end;
        if (field == parent) status.parent = value;
        if (field == threads) status.threads = value;
        if (field == start) status.start = static_cast<std::uint64_t>(value);
    }
    return status;
}

}  // namespace mpiprof::inline v1::detail
