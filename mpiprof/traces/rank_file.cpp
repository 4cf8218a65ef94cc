#include <mpiprof/traces/rank_file.hpp>

#include <mpiprof/results/input_error.hpp>
#include <mpiprof/run/shard_layout.hpp>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <set>

namespace mpiprof::inline v1::traces {

using results::input_error;
using sinks::trace_chunk;

namespace {

/// So many ranks no machine has; a damaged file may have any number.
constexpr std::int64_t most_ranks = std::int64_t{1} << 24;
/// A chunk's bytes before its records.
constexpr std::size_t chunk_head_size =
    sizeof(trace_chunk) - trace_chunk::slots * sizeof(sinks::trace_record);

bool begins_with(char const (&magic)[16], char const (&right)[16]) noexcept {
    return std::memcmp(magic, right, sizeof right) == 0;
}

/// Bytes that there are of a place.
std::uint64_t size_of(input_file const& file, rank_place const& place) noexcept {
    return place.offset > file.size() ? 0 : std::min(place.size, file.size() - place.offset);
}

void check_head(trace_head const& head, std::string const& path) {
    if (double const rate = head.rate; !(rate > 0 && rate < 1e9))
        throw input_error(fmt::format("{}: no rate of its clock", path));
    if (head.rank < 0 || head.world_size <= head.rank || head.world_size > most_ranks)
        throw input_error(fmt::format("{}: the process did not know its rank yet when it ended", path));
}

std::unique_ptr<trace_head> read_head(input_file const& file, rank_place const& place) {
    auto made = std::make_unique<trace_head>();
    auto& head = *made;
    auto const size = std::min<std::uint64_t>(size_of(file, place), sizeof head);
    auto const got = file.read(place.offset, &head, size);
    if (got < sizeof head.magic || !begins_with(head.magic, trace_head::right_magic))
        throw input_error(fmt::format("{}: no trace of mpiprof", file.path()));
    if (got < sizeof head) {
        throw input_error(fmt::format("{}: byte {}: cut off in the head, which has {} bytes", file.path(),
                                      place.offset + got, sizeof head));
    }
    if (head.order != trace_head::right_order)
        throw input_error(fmt::format("{}: made on a machine of another byte order", file.path()));
    if (head.version != trace_head::right_version || head.operations != operation_count) {
        throw input_error(fmt::format(
            "{}: a trace of another version of mpiprof; read it with that version's command", file.path()));
    }
    check_head(head, file.path());
    head.samples = std::min<std::uint64_t>(head.samples, std::size(head.sample));
    return made;
}

}  // namespace

/// Loads a rank's trace, and checks all of it.
struct rank_file::loader {
    rank_file& to;
    std::vector<std::string>& notes;
    input_file file{to.place_.path};
    std::uint64_t begin = to.place_.offset;
    std::uint64_t size = size_of(file, to.place_);

    [[noreturn]] void fail(std::uint64_t offset, std::string const& what) const {
        throw input_error(fmt::format("{}: byte {}: {}", file.path(), begin + offset, what));
    }

    void note(std::string const& path, std::uint64_t offset, std::string const& what) const {
        notes.push_back(fmt::format("{}: byte {}: {}", path, offset, what));
    }

    void load() {
        to.head_ = read_head(file, to.place_);
        load_table(to.head_->parts.kinds, "kinds", to.kinds_);
        load_table(to.head_->parts.communicators, "communicators", to.communicators_);
        load_texts();
        load_threads();
        check_kinds();
        load_chunks();
    }

    /// The rows of a part are checked to be where the head says; returns their bytes.
    std::uint64_t check_part(sinks::trace_part const& part, char const* name, std::size_t row_size) const {
        std::uint64_t const used = part.used;
        if (part.row_size != row_size) fail(0, fmt::format("{} of another size", name));
        if (part.offset > size || used > (size - part.offset) / row_size)
            fail(size, fmt::format("cut off in the table of {}, without which nothing can be read", name));
        return used * row_size;
    }

    template <class Row>
    void load_table(sinks::trace_part const& part, char const* name, std::vector<Row>& rows) const {
        auto const bytes = check_part(part, name, sizeof(Row));
        rows.resize(part.used);
        file.read(begin + part.offset, rows.data(), bytes);
    }

    void load_texts() const {
        auto const& part = to.head_->parts.texts;
        auto const bytes = check_part(part, "texts", 1);
        to.texts_.resize(bytes);
        file.read(begin + part.offset, to.texts_.data(), bytes);
    }

    void load_threads() const {
        auto const& part = to.head_->parts.threads;
        check_part(part, "threads", sizeof(sinks::trace_thread));
        for (std::uint64_t i = 0; i < part.used; ++i) {
            sinks::trace_thread row;
            file.read(begin + part.offset + i * sizeof row, &row, sizeof row);
            auto& made = to.threads_.emplace_back();
            made.id = row.id;
            made.name = to.text(row.name);
            made.text = made.name.empty() ? 0 : row.name;
            if (made.name.empty()) made.name = i == 0 ? "other threads" : fmt::format("thread {}", i);
            made.dropped = row.dropped;
        }
    }

    void check_kinds() const {
        auto const& part = to.head_->parts.kinds;
        for (std::size_t i = 0; i < to.kinds_.size(); ++i) {
            auto const& kind = to.kinds_[i];
            if (kind.operation < operation_count && kind.request < operation_count) continue;
            note(file.path(), begin + part.offset + i * sizeof kind,
                 fmt::format("an operation that there is not; records from the first of kind {} on are lost",
                             i));
            to.kinds_.resize(i);
        }
    }

    void load_chunks() {
        to.last_ = to.head_->start;
        std::set<std::uint64_t> seen;
        if (to.head_->finished == 0 && to.head_->spilled[0] != '\0') load_spilled(seen);
        auto const& part = to.head_->parts.chunks;
        if (part.row_size != sizeof(trace_chunk) && part.used > 0) fail(0, "chunks of another size");
        // Where it is cut off before them, nothing of them is looked for.
        load_chunks_of(file, begin + std::min<std::uint64_t>(part.offset, size), begin + size, part.used,
                       seen);
        for (auto& thread : to.threads_) {
            std::sort(thread.chunks.begin(), thread.chunks.end(), [this](std::size_t a, std::size_t b) {
                return to.chunks_[a].number < to.chunks_[b].number;
            });
        }
    }

    void load_spilled(std::set<std::uint64_t>& seen) {
        auto const path = mpiprof::detail::text_of(to.head_->spilled);
        auto const beside =
            std::filesystem::path{to.place_.path}.replace_filename(std::filesystem::path{path}.filename());
        for (auto const& each : {path, beside.string()}) {
            std::error_code ignored;
            if (!std::filesystem::is_regular_file(each, ignored)) continue;
            to.spilled_path_ = each;
            input_file const spilled{each};
            auto const offset = to.head_->parts.chunks.offset;
            auto const whole =
                spilled.size() <= offset
                    ? 0
                    : (spilled.size() - offset + sizeof(trace_chunk) - 1) / sizeof(trace_chunk);
            return load_chunks_of(spilled, offset, spilled.size(), whole, seen);
        }
        notes.push_back(fmt::format("{}: the file that its records were spilled to is not there: {}",
                                    to.place_.path, path));
    }

    void load_chunks_of(input_file const& from, std::uint64_t first, std::uint64_t end, std::uint64_t count,
                        std::set<std::uint64_t>& seen) {
        auto const chunk = std::make_unique<trace_chunk>();
        for (std::uint64_t i = 0; i < count; ++i) {
            auto const offset = first + i * sizeof(trace_chunk);
            if (offset < first || offset >= end || end - offset < chunk_head_size) {
                note(from.path(), end,
                     fmt::format("cut off; the last {} of {} chunks of records are lost", count - i, count));
                return;
            }
            auto const there = std::min<std::uint64_t>(end - offset, sizeof(trace_chunk));
            auto const got = from.read(offset, chunk.get(), there);
            if (got >= chunk_head_size) load_chunk(from, offset, got, *chunk, seen);
        }
    }

    void load_chunk(input_file const& from, std::uint64_t offset, std::size_t there, trace_chunk const& chunk,
                    std::set<std::uint64_t>& seen) {
        std::uint32_t used = chunk.used;
        auto const state = chunk.state.load();
        if (state == trace_chunk::use::free || chunk.number < to.head_->parts.first || used == 0) return;
        if (state > trace_chunk::use::spilling || chunk.thread >= to.threads_.size() ||
            used > trace_chunk::slots) {
            return note(from.path(), offset, "no chunk of records; up to 2046 records are lost");
        }
        // One that was being spilled is in both files.
        if (!seen.insert(chunk.number).second) return;
        auto const slots =
            static_cast<std::uint32_t>((there - chunk_head_size) / sizeof(sinks::trace_record));
        auto& thread = to.threads_[chunk.thread];
        auto const readable = std::min(used, slots);
        rank_file::chunk made{&from != &file, offset, chunk.number, 0, 0};
        auto const damage = measure(chunk, readable, made);
        if (made.used < used) {
            thread.dropped += used - made.used;
            note(from.path(), offset + chunk_head_size + made.used * sizeof(sinks::trace_record),
                 fmt::format("{}; up to {} records of rank {} are lost", damage.empty() ? "cut off" : damage,
                             used - made.used, to.number()));
        }
        thread.chunks.push_back(to.chunks_.size());
        to.chunks_.push_back(made);
    }

    /// Finds how much of a chunk can be read, and what is wrong with the rest.
    std::string measure(trace_chunk const& chunk, std::uint32_t readable, rank_file::chunk& made) {
        chunk_slots slots{chunk, readable, to.kinds_.size()};
        while (auto const each = slots.next()) {
            ++made.count;
            to.last_ = std::max(to.last_, each->end);
        }
        made.used = slots.place();
        return slots.damage();
    }
};

std::unique_ptr<trace_head> read_head(rank_place const& place) {
    return read_head(input_file{place.path}, place);
}

rank_file::rank_file(rank_place place, std::vector<std::string>& notes) : place_{std::move(place)} {
    loader{*this, notes}.load();
}

char const* rank_file::text(std::uint64_t place) const noexcept {
    return place < texts_.size() ? texts_.c_str() + place : "";
}

void rank_file::for_each_chunk(std::vector<std::size_t> const& numbers,
                               std::function<void(trace_chunk const&, chunk const&)> const& visit) const {
    input_file const own{place_.path};
    std::unique_ptr<input_file> spilled;
    auto const read = std::make_unique<trace_chunk>();
    for (auto const number : numbers) {
        auto const& each = chunks_[number];
        if (each.spilled && spilled == nullptr) spilled = std::make_unique<input_file>(spilled_path_);
        auto const& from = each.spilled ? *spilled : own;
        auto const wanted = chunk_head_size + each.used * sizeof(sinks::trace_record);
        if (from.read(each.offset, read.get(), wanted) < wanted)
            throw input_error(fmt::format("{}: changed while it was read", from.path()));
        visit(*read, each);
    }
}

std::vector<rank_place> find_ranks(std::string const& path, std::vector<std::string>& notes) {
    input_file const file{path};
    trace_archive_head head;
    auto const got = file.read(0, &head, sizeof head);
    if (got < sizeof head || !begins_with(head.magic, trace_archive_head::right_magic)) return {{path}};
    if (head.order != trace_head::right_order)
        throw input_error(fmt::format("{}: made on a machine of another byte order", path));
    if (head.version != trace_archive_head::right_version) {
        throw input_error(fmt::format(
            "{}: traces of another version of mpiprof; read them with that version's command", path));
    }
    std::vector<rank_place> found;
    for (std::uint64_t i = 0; i < head.count; ++i) {
        trace_archive_head::entry entry;
        auto const place = sizeof head + i * sizeof entry;
        if (file.read(place, &entry, sizeof entry) < sizeof entry) {
            notes.push_back(fmt::format("{}: byte {}: cut off in the list of its ranks; {} of {} are lost",
                                        path, file.size(), head.count - i, head.count));
            break;
        }
        if (entry.offset > file.size() || entry.offset % 8 != 0) {
            notes.push_back(fmt::format("{}: byte {}: cut off before the trace of rank {}, which is lost",
                                        path, file.size(), entry.rank));
            continue;
        }
        found.push_back({path, entry.offset, entry.size});
    }
    if (found.empty()) throw input_error(fmt::format("{}: there is no trace in it", path));
    return found;
}

bool is_trace_file(std::string const& path) {
    input_file const file{path};
    char magic[16] = {};
    file.read(0, magic, sizeof magic);
    return begins_with(magic, trace_head::right_magic) || begins_with(magic, trace_archive_head::right_magic);
}

}  // namespace mpiprof::inline v1::traces
