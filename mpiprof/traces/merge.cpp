#include <mpiprof/traces/merge.hpp>

#include <mpiprof/results/input_error.hpp>
#include <mpiprof/traces/one_run.hpp>
#include <mpiprof/traces/rank_file.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>

namespace mpiprof::inline v1::traces {

using results::input_error;
using sinks::trace_chunk;

namespace {

/// A rank's trace that is to be taken in.
struct found_rank {
    rank_place place;
    std::int64_t number;
    /// There are others in the same file.
    bool among_others;
    std::uint64_t bytes;
};

/// The ranks in the files, by their numbers.
std::vector<found_rank> find_all(std::vector<std::string> const& paths, std::vector<std::string>& notes) {
    std::vector<found_rank> found;
    one_run run;
    for (auto const& path : paths) {
        auto const places = find_ranks(path, notes);
        auto const size = input_file{path}.size();
        std::size_t lost = 0;
        for (auto const& place : places) {
            try {
                auto const head = read_head(place);
                run.add(*head, path);
                found.push_back({place, head->rank, places.size() > 1,
                                 std::min(place.size, size - std::min(size, place.offset))});
            } catch (input_error const& error) {
                if (++lost == places.size()) throw;
                notes.push_back(fmt::format("{}; this rank's trace is lost", error.what()));
            }
        }
    }
    std::sort(found.begin(), found.end(),
              [](found_rank const& a, found_rank const& b) { return a.number < b.number; });
    return found;
}

/// The file that is written, from its begin to its end but for its head.
class archive {
  public:
    archive(std::string const& path, std::size_t ranks) : file_{path, std::ios::binary} {
        put(std::string(sizeof(trace_archive_head) + ranks * sizeof(trace_archive_head::entry), '\0'));
    }

    std::uint64_t size() const noexcept { return size_; }

    void put(void const* bytes, std::size_t size) {
        file_.write(static_cast<char const*>(bytes), static_cast<std::streamsize>(size));
        check();
        size_ += size;
    }
    void put(std::string const& bytes) { put(bytes.data(), bytes.size()); }

    /// Puts the rows of a part, and says in it where they are, seen from `begin`.
    void put_part(sinks::trace_part& part, std::uint64_t begin, void const* rows, std::size_t row_size,
                  std::size_t count) {
        align();
        part.offset = size_ - begin;
        part.row_size = row_size;
        part.used = count;
        if (count > 0) put(rows, count * row_size);
    }

    void align() { put(std::string((8 - size_ % 8) % 8, '\0')); }

    /// Writes over what is there.
    void put_at(std::uint64_t offset, void const* bytes, std::size_t size) {
        file_.seekp(static_cast<std::streamoff>(offset));
        file_.write(static_cast<char const*>(bytes), static_cast<std::streamsize>(size));
        file_.seekp(static_cast<std::streamoff>(size_));
        check();
    }

    void finish(std::vector<trace_archive_head::entry> const& entries) {
        trace_archive_head head;
        std::memcpy(head.magic, trace_archive_head::right_magic, sizeof head.magic);
        head.version = trace_archive_head::right_version;
        head.order = trace_head::right_order;
        head.count = entries.size();
        put_at(0, &head, sizeof head);
        put_at(sizeof head, entries.data(), entries.size() * sizeof entries.front());
        file_.close();
        check();
    }

  private:
    void check() const {
        if (!file_) throw std::runtime_error(std::strerror(errno));
    }

    std::ofstream file_;
    std::uint64_t size_ = 0;
};

/// Puts the table of threads, with the damaged records among those that were dropped.
void put_threads(archive& to, sinks::trace_part& part, std::uint64_t begin, rank_file const& from) {
    to.put_part(part, begin, nullptr, sizeof(sinks::trace_thread), 0);
    part.used = from.threads().size();
    for (auto const& each : from.threads()) {
        sinks::trace_thread row;
        row.id = each.id;
        row.name = each.text;
        row.dropped = each.dropped;
        to.put(&row, sizeof row);
    }
}

/// Puts the chunks, of each no more than can be read.
void put_chunks(archive& to, rank_file const& from, std::function<void()> const& progress) {
    std::vector<std::size_t> numbers(from.chunks().size());
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    from.for_each_chunk(numbers, [&](trace_chunk const& read, rank_file::chunk const& known) {
        auto const made = std::make_unique<trace_chunk>();
        made->state = trace_chunk::use::full;
        made->thread = read.thread;
        made->number = read.number;
        made->base = read.base;
        made->dropped = read.dropped;
        made->used = known.used;
        made->count = known.count;
        std::copy_n(read.records, known.used, made->records);
        to.put(made.get(), sizeof *made);
        progress();
    });
}

/// Puts the trace of one rank; returns where it is.
trace_archive_head::entry put_rank(archive& to, rank_file const& from,
                                   std::function<void()> const& progress) {
    to.align();
    auto const begin = to.size();
    auto const head = std::make_unique<trace_head>();
    std::memcpy(static_cast<void*>(head.get()), &from.head(), sizeof *head);
    head->spilled[0] = '\0';
    auto& parts = head->parts;
    to.put(head.get(), sizeof *head);
    to.put_part(parts.kinds, begin, from.kinds().data(), sizeof(sinks::trace_kind), from.kinds().size());
    to.put_part(parts.communicators, begin, from.communicators().data(), sizeof(sinks::trace_communicator),
                from.communicators().size());
    put_threads(to, parts.threads, begin, from);
    to.put_part(parts.texts, begin, from.texts().data(), 1, from.texts().size());
    to.put_part(parts.chunks, begin, nullptr, sizeof(trace_chunk), 0);
    parts.chunks.used = from.chunks().size();
    put_chunks(to, from, progress);
    to.put_at(begin, head.get(), sizeof *head);
    return {from.number(), begin, to.size() - begin};
}

}  // namespace

void merge(std::vector<std::string> const& paths, std::string const& output, std::vector<std::string>& notes,
           std::function<void(std::uint64_t, std::uint64_t)> const& progress) {
    auto const found = find_all(paths, notes);
    std::uint64_t all = 0;
    for (auto const& each : found) all += each.bytes;
    archive made{output, found.size()};
    std::vector<trace_archive_head::entry> entries;
    std::uint64_t before = 0;
    for (auto const& each : found) {
        std::optional<rank_file> file;
        try {
            file.emplace(each.place, notes);
        } catch (input_error const& error) {
            if (!each.among_others) throw;
            notes.push_back(fmt::format("{}; this rank's trace is lost", error.what()));
            continue;
        }
        std::uint64_t done = before;
        before += each.bytes;
        entries.push_back(put_rank(made, *file, [&] {
            done += sizeof(trace_chunk);
            progress(std::min(done, before), all);
        }));
        progress(before, all);
    }
    if (entries.empty()) throw input_error("there is no trace to merge");
    made.finish(entries);
}

}  // namespace mpiprof::inline v1::traces
