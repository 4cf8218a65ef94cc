// Reads traces that may be damaged in any way: nothing but input_error comes out of it, and what is read
// keeps its promises.
//
// An input is short: a byte for the number of files, and of each the numbers of its head, its tables and its
// first records. The texts of the head and the rest of the last chunk are zeros.
#include "tests/fuzz/fuzzer.hpp"

#include <mpiprof/results/input_error.hpp>
#include <mpiprof/traces/merge.hpp>
#include <mpiprof/traces/messages.hpp>
#include <mpiprof/traces/nesting.hpp>

#include "tests/traces/trace_builder.hpp"

#include <algorithm>
#include <cstdlib>
#include <deque>

namespace {

using mpiprof::trace_head;
using mpiprof::traces::event;
using mpiprof::traces::region;
using mpiprof::traces::trace;

constexpr std::size_t numbers_size = offsetof(trace_head, start_time);

void require(bool holds) {
    if (!holds) std::abort();
}

/// The file of a short input. Of a world that is large the reader lists the ranks, which takes its time.
std::string expand(std::string const& input) {
    auto bytes = input.substr(0, numbers_size);
    bytes.resize(sizeof(trace_head));
    constexpr auto place = offsetof(trace_head, world_size);
    std::fill_n(bytes.begin() + place + 2, sizeof(std::int64_t) - 2, '\0');
    if (input.size() > numbers_size) bytes += input.substr(numbers_size);
    return bytes + std::string(sizeof(mpiprof::sinks::trace_chunk), '\0');
}

/// The short input of a file.
std::string shorten(std::string bytes) {
    bytes.erase(numbers_size, sizeof(trace_head) - numbers_size);
    bytes.resize(bytes.find_last_not_of('\0') + 1);
    return bytes;
}

std::vector<std::string> texts_of(std::string const& input) {
    auto const count = input.empty() ? 1 : static_cast<unsigned char>(input[0]) % 3 + 1;
    auto const rest = input.substr(std::min<std::size_t>(input.size(), 1));
    std::vector<std::string> texts;
    auto const part = rest.size() / static_cast<std::size_t>(count);
    for (int i = 0; i < count; ++i)
        texts.push_back(expand(rest.substr(static_cast<std::size_t>(i) * part, part)));
    return texts;
}

std::size_t check_events(trace const& from) {
    std::size_t count = 0;
    for (std::size_t rank = 0; rank < from.ranks().size(); ++rank) {
        for (std::size_t thread = 0; thread < from.ranks()[rank].threads.size(); ++thread) {
            std::int64_t last = 0;
            from.for_each(rank, thread, [&](event const& each) {
                ++count;
                require(each.begin <= each.end && last <= each.end && 0 <= each.begin);
                last = each.end;
                auto const id = each.call.communicator;
                require(id < 0 || from.communicators().contains(id));
            });
        }
    }
    return count;
}

void check_nesting(trace const& from) {
    for (std::size_t rank = 0; rank < from.ranks().size(); ++rank) {
        for (std::size_t thread = 0; thread < from.ranks()[rank].threads.size(); ++thread) {
            std::vector<std::int64_t> ends;
            std::int64_t last = 0;
            mpiprof::traces::for_each_nested(
                from, rank, thread,
                [&](region const& each) {
                    require(last <= each.begin && each.begin <= each.end);
                    require(ends.empty() || each.end <= ends.back());
                    last = each.begin;
                    ends.push_back(each.end);
                },
                [&](region const& each) {
                    require(!ends.empty() && ends.back() == each.end && last <= each.end);
                    last = each.end;
                    ends.pop_back();
                },
                [](event const&) {});
            require(ends.empty());
        }
    }
}

void check_messages(trace const& from) {
    for (auto const& each : messages_of(from)) {
        require(each.sent.exists() || each.received.exists());
        if (each.is_whole())
            require(each.sent.rank == each.received.peer && each.sent.tag == each.received.tag);
    }
    for (auto const& each : collectives_of(from)) require(!each.members.empty() && each.begin <= each.end);
}

void check_merge(std::vector<std::string> const& paths, std::size_t count) {
    test_support::memory_file const merged{""};
    std::vector<std::string> notes;
    mpiprof::traces::merge(paths, merged.path(), notes, [](std::uint64_t, std::uint64_t) {});
    require(check_events(trace{{merged.path()}}) == count);
}

}  // namespace

std::vector<std::string> test_support::seeds() {
    auto small = small_program();
    auto const one = [&](int rank) { return shorten(small.rank(rank).bytes()); };
    std::vector<std::string> made;
    for (int rank = 0; rank < 4; ++rank) made.push_back('\0' + one(rank));
    auto first = one(0);
    auto second = one(1);
    auto const longer = std::max(first.size(), second.size());
    first.resize(longer);
    second.resize(longer);
    made.push_back('\1' + first + second);
    return made;
}

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    std::deque<test_support::memory_file> files;
    std::vector<std::string> paths;
    for (auto const& text : texts_of({reinterpret_cast<char const*>(data), size})) {
        files.emplace_back(text);
        paths.push_back(files.back().path());
    }
    try {
        trace const from{paths};
        auto const count = check_events(from);
        check_nesting(from);
        check_messages(from);
        check_merge(paths, count);
    } catch (mpiprof::results::input_error const&) {
        // That is what it is for.
    }
    return 0;
}
