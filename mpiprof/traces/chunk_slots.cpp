#include <mpiprof/traces/chunk_slots.hpp>

#include <mpiprof/traces/timeline.hpp>

#include <cstring>
#include <fmt/format.h>

namespace mpiprof::inline v1::traces {

using sinks::trace_bytes;
using sinks::trace_record;
using sinks::trace_slot;

namespace {

bool is_of_call(trace_bytes what) noexcept {
    return what <= trace_bytes::both && what != trace_bytes::taken_back;
}

bool is_of_completion(trace_bytes what) noexcept {
    return what == trace_bytes::sent || what == trace_bytes::received || what == trace_bytes::read ||
           what == trace_bytes::taken_back;
}

}  // namespace

std::optional<slot> chunk_slots::next() {
    while (place_ < used_ && damage_.empty()) {
        auto const& record = chunk_.records[place_];
        if (record.type > trace_slot::phase_end)
            return fail(fmt::format("a record of type {}", static_cast<int>(record.type)));
        if (record.type != trace_slot::base) return take(record);
        base_ = record.base;
        ++place_;
    }
    return std::nullopt;
}

std::optional<slot> chunk_slots::fail(std::string damage) {
    damage_ = std::move(damage);
    return std::nullopt;
}

std::int64_t chunk_slots::time(trace_record const& record) const noexcept { return sum(base_, record.begin); }

std::optional<slot> chunk_slots::take(trace_record const& record) {
    if (record.kind >= kinds_) return fail(fmt::format("a record of kind {} of {}", record.kind, kinds_));
    auto const at = time(record);
    switch (record.type) {
    case trace_slot::call:
        if (!is_of_call(record.bytes_are)) return fail("a call with bytes of no kind");
        ++place_;
        return slot{record, at, sum(at, record.duration)};
    case trace_slot::completion:
        if (!is_of_completion(record.bytes_are)) return fail("a completion with bytes of no kind");
        ++place_;
        return slot{record, sum(at, -std::int64_t{record.duration}), at};
    case trace_slot::repeated:
        return take_repeated(record);
    case trace_slot::wide_call:
    case trace_slot::wide_completion:
        return take_wide(record);
    default:
        ++place_;
        return slot{record, at, at};
    }
}

std::optional<slot> chunk_slots::take_wide(trace_record const& record) {
    if (used_ - place_ < 3) return fail("a wide record that runs over the end of its chunk");
    slot made{record};
    if (record.type == trace_slot::wide_call) {
        auto& wide = made.wide_call.emplace();
        std::memcpy(&wide, &record + 1, sizeof wide);
        made.begin = wide.begin;
        made.end = wide.end;
    } else {
        auto& wide = made.wide_completion.emplace();
        std::memcpy(&wide, &record + 1, sizeof wide);
        made.begin = wide.posted;
        made.end = wide.observed;
    }
    place_ += 3;
    return made;
}

std::optional<slot> chunk_slots::take_repeated(trace_record const& record) {
    if (used_ - place_ < 2) return fail("repeated calls that run over the end of their chunk");
    auto const& first = *(&record + 1);
    bool const fits =
        first.type == trace_slot::call && first.kind == record.kind && is_of_call(first.bytes_are);
    if (!fits) return fail("repeated calls without the first of them");
    auto const at = time(record);
    place_ += 2;
    slot made{record, at, sum(at, record.duration)};
    made.first = &first;
    return made;
}

}  // namespace mpiprof::inline v1::traces
