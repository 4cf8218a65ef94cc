#include <mpiprof/traces/trace.hpp>

#include <mpiprof/results/input_error.hpp>
#include <mpiprof/run/shard_layout.hpp>
#include <mpiprof/traces/communicator_table.hpp>
#include <mpiprof/traces/one_run.hpp>
#include <mpiprof/traces/rank_file.hpp>
#include <mpiprof/traces/timeline.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace mpiprof::inline v1::traces {

using mpiprof::detail::text_of;
using results::input_error;
using sinks::trace_bytes;
using sinks::trace_record;
using sinks::trace_slot;

namespace {

/// Puts a record's bytes to where they belong.
void put_bytes(call& to, trace_record const& from) noexcept {
    switch (from.bytes_are) {
    case trace_bytes::sent:
        to.sent = from.bytes;
        break;
    case trace_bytes::received:
        to.received = from.bytes;
        break;
    case trace_bytes::capacity:
        to.capacity = from.bytes;
        break;
    case trace_bytes::written:
        to.written = from.bytes;
        break;
    case trace_bytes::read:
        to.read = from.bytes;
        break;
    case trace_bytes::both:
        to.sent = from.bytes;
        to.received = from.more;
        break;
    case trace_bytes::taken_back:
        break;
    }
}

void put_bytes(completion& to, trace_record const& from) noexcept {
    switch (from.bytes_are) {
    case trace_bytes::sent:
        to.sent = from.bytes;
        break;
    case trace_bytes::read:
        to.read = from.bytes;
        break;
    case trace_bytes::taken_back:
        to.cancelled = true;
        to.taken_back = from.bytes;
        break;
    default:
        to.received = from.bytes;
        break;
    }
}

void put_bytes(call& to, sinks::trace_wide_call const& from) noexcept {
    to.sent = from.sent;
    to.received = from.received;
    to.capacity = from.capacity;
    to.overhead = from.overhead;
    to.written = from.written;
    to.read = from.read;
}

void put_bytes(completion& to, sinks::trace_wide_completion const& from) noexcept {
    to.received = from.received;
    to.read = from.read;
    to.sent = from.sent;
    to.taken_back = from.taken_back;
    to.cancelled = from.cancelled != 0;
}

template <class Record>
void put_kind(Record& to, sinks::trace_kind const& kind, rank_file const& file) noexcept {
    to.operation = static_cast<operation>(kind.operation);
    to.communicator = kind.communicator;
    to.site = call_site{file.text(kind.file), kind.line};
}

template <class Record>
void put_envelope(Record& to, trace_record const& from) noexcept {
    if (from.bytes_are == trace_bytes::both) return;
    to.peer = from.message.peer;
    to.tag = from.message.tag;
}

/// Nanoseconds of a number of ticks.
std::int64_t nanoseconds(std::int64_t ticks, double rate) noexcept {
    constexpr double most = 9e18;
    return std::llround(std::clamp(static_cast<double>(ticks) * rate, 0.0, most));
}

/// A damaged file may have any number.
std::int64_t count_of(std::uint64_t number) noexcept {
    return static_cast<std::int64_t>(std::min<std::uint64_t>(number, INT64_MAX));
}

}  // namespace

/// What a trace is made of.
struct trace::parts {
    std::int64_t world_size = 0;
    std::vector<rank> ranks;
    std::vector<std::string> notes;
    /// As `ranks`.
    std::vector<rank_file> files;
    /// Of each rank's threads, their rows in the file.
    std::vector<std::vector<std::size_t>> rows;
    std::optional<timeline> times;
    std::optional<communicator_table> communicators;
    one_run run;

    void read(std::vector<std::string> const& paths) {
        for (auto const& path : paths) read(path);
        if (files.empty()) throw input_error("there is no trace to read");
        std::sort(files.begin(), files.end(),
                  [](rank_file const& a, rank_file const& b) { return a.number() < b.number(); });
        world_size = files.front().head().world_size;
        std::vector<trace_head const*> heads;
        for (auto const& file : files) heads.push_back(&file.head());
        times.emplace(heads, notes);
        communicators.emplace(world_size);
        for (std::size_t place = 0; place < files.size(); ++place) {
            describe(files[place], place);
            add_communicators(files[place], place);
        }
        communicators->finish();
        note_missing();
    }

    void read(std::string const& path) {
        auto const places = find_ranks(path, notes);
        std::size_t lost = 0;
        for (auto const& place : places) {
            std::optional<rank_file> file;
            try {
                file.emplace(place, notes);
            } catch (input_error const& error) {
                // Of a file of several the others are there.
                if (++lost == places.size()) throw;
                notes.push_back(fmt::format("{}; this rank's trace is lost", error.what()));
                continue;
            }
            run.add(file->head(), file->path());
            files.push_back(std::move(*file));
        }
    }

    void describe(rank_file const& file, std::size_t place) {
        auto const& head = file.head();
        auto& made = ranks.emplace_back();
        made.number = head.rank;
        made.begin = times->time(place, head.start);
        made.end = std::max(made.begin, times->time(place, file.last()));
        made.to_monotonic = difference(head.monotonic_start, made.begin);
        made.to_realtime = difference(head.realtime_start, made.begin);
        made.clock_error = times->error(place);
        made.clock_known = times->known(place);
        made.keeps_newest = head.keeps_newest != 0;
        made.has_gaps = head.has_gaps != 0;
        made.unfinished = head.finished == 0;
        made.host = text_of(head.host);
        made.program = text_of(head.program);
        made.command = text_of(head.command);
        made.start_time = text_of(head.start_time);
        made.library = text_of(head.library);
        made.clock = text_of(head.clock);
        made.job = text_of(head.job);
        made.process = head.process;
        add_threads(file, made, head);
        note_losses(made, file);
    }

    void add_threads(rank_file const& file, rank& made, trace_head const& head) {
        auto lost = head.parts.overwritten.load();
        auto& its_rows = rows.emplace_back();
        for (std::size_t row = 0; row < file.threads().size(); ++row) {
            auto const& thread = file.threads()[row];
            lost += thread.dropped;
            // The first is of those that found no row of their own; mostly there are none.
            if (row == 0 && thread.chunks.empty() && thread.dropped == 0) continue;
            its_rows.push_back(row);
            made.threads.push_back({thread.id, thread.name, count_of(thread.dropped)});
        }
        made.dropped = count_of(lost);
    }

    void note_losses(rank const& made, rank_file const& file) {
        if (made.unfinished)
            notes.push_back(
                fmt::format("{}: rank {} did not reach the end of the run", file.path(), made.number));
        if (made.has_gaps) {
            notes.push_back(fmt::format(
                "{}: rank {} was not to record all its calls; partners are told by their times and sizes",
                file.path(), made.number));
        }
        if (made.dropped > 0) {
            notes.push_back(fmt::format("{}: {} records of rank {} were lost{}", file.path(), made.dropped,
                                        made.number, made.keeps_newest ? ", the oldest ones" : ""));
        }
    }

    void add_communicators(rank_file const& file, std::size_t place) {
        for (auto const& row : file.communicators())
            communicators->add(file.number(), place, row, file.text(row.name));
        for (auto const& kind : file.kinds()) communicators->add_used(kind.communicator);
    }

    void note_missing() {
        auto const missing = world_size - std::ssize(files);
        if (missing > 0)
            notes.push_back(
                fmt::format("there is no trace of {} of the run's {} ranks", missing, world_size));
    }

    /// Turns the records of one thread into events.
    struct reading;
};

struct trace::parts::reading {
    parts const& of;
    std::size_t rank;
    rank_file const& file = of.files[rank];
    double rate = file.head().rate;
    std::int64_t last = of.ranks[rank].begin;
    event made = {};

    void take(slot const& from) {
        auto const& kind = file.kinds()[from.record.kind];
        made.phase = file.text(kind.phase);
        put_times(from);
        made.call = {};
        made.completion = {};
        made.repeats = 1;
        made.inside = 0;
        switch (from.record.type) {
        case trace_slot::phase_begin:
        case trace_slot::phase_end:
            made.type =
                from.record.type == trace_slot::phase_begin ? event_type::phase_begin : event_type::phase_end;
            break;
        case trace_slot::completion:
        case trace_slot::wide_completion:
            take_completion(from, kind);
            break;
        default:
            take_call(from, kind);
            break;
        }
    }

    /// No event ends before the one before it: where a clock was set back, time stands still.
    void put_times(slot const& from) {
        auto const end = of.times->time(rank, from.end);
        made.end = std::max(end, last);
        auto const begin = end < last ? made.end : of.times->time(rank, from.begin);
        made.begin = std::clamp(begin, of.ranks[rank].begin, made.end);
        last = made.end;
    }

    void take_completion(slot const& from, sinks::trace_kind const& kind) {
        made.type = event_type::completion;
        auto& done = made.completion;
        put_kind(done, kind, file);
        put_envelope(done, from.record);
        done.posted = made.begin;
        done.observed = made.end;
        auto const& wide = from.wide_completion;
        if (wide) put_bytes(done, *wide);
        else put_bytes(done, from.record);
        done.waited = nanoseconds(wide ? wide->waited : std::int64_t{from.record.waited}, rate);
    }

    void take_call(slot const& from, sinks::trace_kind const& kind) {
        made.type = event_type::call;
        auto& record = made.call;
        put_kind(record, kind, file);
        record.request = static_cast<operation>(kind.request);
        record.root = kind.root;
        auto const& first = from.first == nullptr ? from.record : *from.first;
        record.flags = static_cast<std::uint16_t>(first.flags);
        put_envelope(record, first);
        if (from.wide_call) put_bytes(record, *from.wide_call);
        else put_bytes(record, first);
        record.begin = made.begin;
        record.end = made.end;
        record.duration = made.inside = made.end - made.begin;
        if (from.first == nullptr) return;
        made.type = event_type::repeated;
        made.repeats = from.record.count;
        record.duration = made.inside = std::min(nanoseconds(from.record.inside, rate), made.inside);
    }
};

trace::trace(std::vector<std::string> const& paths) : parts_{std::make_unique<parts>()} {
    parts_->read(paths);
}

trace::trace(trace&&) noexcept = default;
trace::~trace() = default;

std::int64_t trace::world_size() const noexcept { return parts_->world_size; }
std::vector<rank> const& trace::ranks() const noexcept { return parts_->ranks; }
std::map<communicator_id, communicator> const& trace::communicators() const noexcept {
    return parts_->communicators->all();
}
std::vector<std::string> const& trace::notes() const noexcept { return parts_->notes; }

std::int64_t trace::world_rank(communicator_id id, std::size_t rank, std::int64_t peer) const {
    return parts_->communicators->world_rank(id, rank, ranks()[rank].number, peer);
}

void trace::for_each(std::size_t rank, std::size_t thread,
                     std::function<void(event const&)> const& visit) const {
    auto const& file = parts_->files[rank];
    auto const& row = file.threads()[parts_->rows[rank][thread]];
    parts::reading reading{*parts_, rank};
    reading.made.id = {static_cast<std::uint32_t>(rank), static_cast<std::uint32_t>(thread), 0};
    file.for_each_chunk(row.chunks, [&](sinks::trace_chunk const& chunk, rank_file::chunk const& known) {
        chunk_slots slots{chunk, known.used, file.kinds().size()};
        while (auto const each = slots.next()) {
            reading.take(*each);
            visit(reading.made);
            ++reading.made.id.number;
        }
    });
}

void trace::for_each(std::function<void(event const&)> const& visit) const {
    for (std::size_t rank = 0; rank < ranks().size(); ++rank)
        for (std::size_t thread = 0; thread < ranks()[rank].threads.size(); ++thread)
            for_each(rank, thread, visit);
}

}  // namespace mpiprof::inline v1::traces
