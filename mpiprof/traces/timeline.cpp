#include <mpiprof/traces/timeline.hpp>

#include <mpiprof/run/shard_layout.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace mpiprof::inline v1::traces {

namespace {

using mpiprof::detail::text_of;

/// The line through both samples; that of the first and the clock's own rate where they make no line that a
/// clock could run along.
clock_line through(clock_sample const& first, clock_sample const& second, double rate) noexcept {
    auto const ticks = difference(second.ticks, first.ticks);
    auto const nanoseconds = difference(second.nanoseconds, first.nanoseconds);
    if (ticks > 0 && nanoseconds > 0) {
        auto const measured = static_cast<double>(nanoseconds) / static_cast<double>(ticks);
        if (measured > rate / 2 && measured < rate * 2) rate = measured;
    }
    return {first.ticks, first.nanoseconds, rate};
}

bool same_clock(trace_head const& a, trace_head const& b) {
    auto const boot = text_of(a.boot);
    auto const clock = text_of(a.clock);
    bool const is_of_machine = clock == "tsc" || clock == "steady";
    return is_of_machine && clock == text_of(b.clock) && !boot.empty() && boot == text_of(b.boot);
}

/// Do a rank's samples fit a line that is taken for its clock's? In containers clocks of one machine may be
/// set apart.
bool fits(trace_head const& head, clock_line const& line, std::int64_t error) noexcept {
    constexpr std::int64_t of_reading = 1000;
    for (std::uint64_t i = 0; i < head.samples; ++i) {
        auto const& sample = head.sample[i];
        auto const away = static_cast<double>(difference(line.at(sample.ticks), sample.nanoseconds));
        auto const most = static_cast<double>(sample.error) + static_cast<double>(error + of_reading);
        if (std::abs(away) > most) return false;
    }
    return true;
}

/// "1, 3 and 5" of the ranks whose clocks are known so.
std::string numbers(std::vector<trace_head const*> const& heads, timeline const& times,
                    clock_knowledge known) {
    std::vector<std::int64_t> found;
    for (std::size_t i = 0; i < heads.size(); ++i)
        if (times.known(i) == known) found.push_back(heads[i]->rank);
    if (found.empty()) return {};
    constexpr std::size_t most = 8;
    auto const shown = std::min(found.size(), most);
    auto const list =
        fmt::format("{}", fmt::join(found.begin(), found.begin() + std::ptrdiff_t(shown), ", "));
    auto const rest = found.size() - shown;
    return fmt::format("rank{} {}{}", found.size() == 1 ? "" : "s", list,
                       rest == 0 ? "" : fmt::format(" and {} more", rest));
}

}  // namespace

std::int64_t clock_line::at(std::int64_t other) const noexcept {
    constexpr double hundred_years = 3.2e18;
    auto const away = static_cast<double>(difference(other, ticks)) * rate;
    return sum(nanoseconds,
               static_cast<std::int64_t>(std::llround(std::clamp(away, -hundred_years, hundred_years))));
}

timeline::timeline(std::vector<trace_head const*> const& heads, std::vector<std::string>& notes)
    : clocks_(heads.size()) {
    // Samples are of rank 0, which may not be there, or not have compared its own.
    auto const has_samples = [](trace_head const* head) { return head->samples > 0; };
    auto const sampled = std::find_if(heads.begin(), heads.end(), has_samples);
    bool const stands_in = heads.front()->rank != 0 && sampled != heads.end();
    auto const reference = stands_in ? static_cast<std::size_t>(sampled - heads.begin()) : 0;
    place(heads, reference, reference);
    for (std::size_t i = 0; i < heads.size(); ++i)
        if (i != reference) place(heads, reference, i);
    zero_ = clocks_[reference].line.at(heads[reference]->start);
    for (std::size_t i = 0; i < heads.size(); ++i)
        zero_ = std::min(zero_, clocks_[i].line.at(heads[i]->start));

    if (auto const list = numbers(heads, *this, clock_knowledge::no_drift); !list.empty())
        notes.push_back(
            fmt::format("the clocks of {} were compared once, so their drift is not known", list));
    if (auto const list = numbers(heads, *this, clock_knowledge::unknown); !list.empty()) {
        notes.push_back(fmt::format(
            "the clocks of {} were never compared with rank {}'s; times of day are taken, as their machines "
            "have them",
            list, heads[reference]->rank.load()));
    }
}

void timeline::place(std::vector<trace_head const*> const& heads, std::size_t reference, std::size_t rank) {
    auto const& head = *heads[rank];
    auto const& first = head.sample[0];
    auto const& second = head.sample[1];
    auto& made = clocks_[rank];
    auto const& by = clocks_[reference];
    if (rank != reference && same_clock(head, *heads[reference]) && fits(head, by.line, by.error)) {
        // By one line, so that the same ticks are the same time.
        made = by;
        made.known = clock_knowledge::same;
    } else if (head.samples >= 2) {
        made = {through(first, second, head.rate), clock_knowledge::measured,
                std::max(first.error, second.error)};
    } else if (head.samples == 1) {
        made = {{first.ticks, first.nanoseconds, head.rate}, clock_knowledge::no_drift, first.error};
    } else if (rank == reference) {
        made = {{head.start, head.monotonic_start, head.rate}, clock_knowledge::same, 0};
    } else {
        auto const& its = *heads[reference];
        auto const later = difference(head.realtime_start, its.realtime_start);
        made = {{head.start, sum(by.line.at(its.start), later), head.rate}, clock_knowledge::unknown, -1};
    }
    made.error = std::max<std::int64_t>(made.error, -1);
}

std::int64_t timeline::time(std::size_t rank, std::int64_t ticks) const noexcept {
    return std::max<std::int64_t>(difference(clocks_[rank].line.at(ticks), zero_), 0);
}

}  // namespace mpiprof::inline v1::traces
