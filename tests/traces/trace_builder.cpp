#include "tests/traces/trace_builder.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <memory>

namespace test_support {

namespace {

using namespace mpiprof::sinks;
using mpiprof::not_applicable;
using mpiprof::trace_archive_head;
using mpiprof::trace_head;

template <std::size_t Size>
void put_text(char (&to)[Size], std::string const& text) {
    to[text.copy(to, Size - 1)] = '\0';
}

bool fits(std::int64_t value) { return value >= INT32_MIN && value <= INT32_MAX; }
bool fits_unsigned(std::int64_t value) { return value >= 0 && value <= UINT32_MAX; }

/// The one count of several that is not as it is by default.
struct one_count {
    int others = 0;
    trace_bytes which;
    std::int64_t bytes = 0;

    void add(trace_bytes of, std::int64_t value, std::int64_t by_default) {
        if (value == by_default) return;
        ++others;
        which = of;
        bytes = value;
    }
};

bool put_count(trace_record& slot, one_count const& count, bool both) {
    slot.bytes_are = count.which;
    slot.bytes = count.bytes;
    return count.others <= 1 || (both && count.others == 2);
}

bool put_bytes(trace_record& slot, mpiprof::call const& record) {
    one_count count{0, trace_bytes::sent, 0};
    count.add(trace_bytes::capacity, record.capacity, not_applicable);
    count.add(trace_bytes::written, record.written, 0);
    count.add(trace_bytes::read, record.read, 0);
    bool const may_be_both =
        count.others == 0 && record.peer == not_applicable && record.tag == not_applicable;
    count.add(trace_bytes::received, record.received, 0);
    count.add(trace_bytes::sent, record.sent, 0);
    if (record.overhead != 0 || !put_count(slot, count, may_be_both)) return false;
    if (count.others == 2) {
        slot.bytes_are = trace_bytes::both;
        slot.more = record.received;
    }
    return true;
}

bool put_bytes(trace_record& slot, mpiprof::completion const& record) {
    one_count count{0, trace_bytes::received, 0};
    count.add(trace_bytes::received, record.received, 0);
    count.add(trace_bytes::read, record.read, 0);
    count.add(trace_bytes::sent, record.sent, not_applicable);
    count.add(trace_bytes::taken_back, record.taken_back, 0);
    if (record.cancelled && count.others == 0) count.which = trace_bytes::taken_back;
    bool const is_cancelled = count.which == trace_bytes::taken_back;
    return put_count(slot, count, false) && is_cancelled == record.cancelled;
}

trace_communicator copy(trace_communicator row, std::uint32_t name) {
    row.name = name;
    return row;
}

template <class Row>
void append(std::string& bytes, trace_part& part, Row const* rows, std::size_t count, std::size_t before) {
    bytes.resize((bytes.size() + 7) / 8 * 8);
    part.offset = before + bytes.size();
    part.row_size = sizeof(Row);
    part.used = count;
    bytes.append(reinterpret_cast<char const*>(rows), count * sizeof(Row));
}

constexpr std::size_t head_size = (sizeof(trace_head) + 7) / 8 * 8;

}  // namespace

thread_builder& thread_builder::phase_begin(std::string const& name, std::int64_t time) {
    put_phase(trace_slot::phase_begin, name, time);
    phases_.push_back(name);
    return *this;
}

thread_builder& thread_builder::phase_end(std::string const& name, std::int64_t time) {
    put_phase(trace_slot::phase_end, name, time);
    if (!phases_.empty() && phases_.back() == name) phases_.pop_back();
    return *this;
}

thread_builder& thread_builder::call(mpiprof::call record) {
    record.begin += rank_->facts.start;
    record.end += rank_->facts.start;
    trace_record made;
    made.type = trace_slot::call;
    made.kind = rank_->kind(record, phases_.empty() ? "" : phases_.back());
    made.flags = record.flags;
    made.message = {record.peer, record.tag};
    if (!wide_ && put_bytes(made, record) && fits_unsigned(record.end - record.begin)) {
        auto* const slot = slots(record.begin, 1);
        made.begin = static_cast<std::int32_t>(record.begin - base_);
        made.duration = static_cast<std::uint32_t>(record.end - record.begin);
        *slot = made;
    } else {
        made.type = trace_slot::wide_call;
        trace_wide_call const rest{record.begin,    record.end,      record.sent,    record.received,
                                   record.capacity, record.overhead, record.written, record.read};
        put_wide(made, &rest, record.begin);
    }
    return *this;
}

thread_builder& thread_builder::repeated(mpiprof::call first, std::uint32_t count, std::int64_t end,
                                         std::int64_t inside) {
    auto const begin = first.begin + rank_->facts.start;
    trace_record one;
    one.type = trace_slot::call;
    one.kind = rank_->kind(first, phases_.empty() ? "" : phases_.back());
    one.flags = first.flags;
    one.message = {first.peer, first.tag};
    put_bytes(one, first);
    auto* const slot = slots(begin, 2);
    one.begin = static_cast<std::int32_t>(begin - base_);
    one.duration = static_cast<std::uint32_t>(first.end - first.begin);
    slot[1] = slot[0] = one;
    slot[0].type = trace_slot::repeated;
    slot[0].count = count;
    slot[0].duration = static_cast<std::uint32_t>(end - first.begin);
    slot[0].inside = inside;
    return *this;
}

thread_builder& thread_builder::completion(mpiprof::completion record) {
    record.posted += rank_->facts.start;
    record.observed += rank_->facts.start;
    trace_record made;
    made.type = trace_slot::completion;
    made.kind = rank_->kind(record, phases_.empty() ? "" : phases_.back());
    made.message = {record.peer, record.tag};
    bool const short_times = fits_unsigned(record.observed - record.posted) && fits_unsigned(record.waited);
    if (!wide_ && put_bytes(made, record) && short_times) {
        auto* const slot = slots(record.observed, 1);
        made.begin = static_cast<std::int32_t>(record.observed - base_);
        made.duration = static_cast<std::uint32_t>(record.observed - record.posted);
        made.waited = static_cast<std::uint32_t>(record.waited);
        *slot = made;
    } else {
        made.type = trace_slot::wide_completion;
        trace_wide_completion const rest{record.posted, record.observed, record.waited,     record.received,
                                         record.read,   record.sent,     record.taken_back, record.cancelled};
        put_wide(made, &rest, record.observed);
    }
    return *this;
}

thread_builder& thread_builder::dropped(std::uint64_t count) {
    dropped_ += count;
    rank_->threads_[number_ - 1].dropped += count;
    return next_chunk();
}

thread_builder& thread_builder::next_chunk() {
    chunk_ = nullptr;
    return *this;
}

thread_builder& thread_builder::wide() {
    wide_ = true;
    return *this;
}

trace_record* thread_builder::slots(std::int64_t time, std::uint32_t count) {
    if (chunk_ == nullptr || chunk_->used + count + 1 > trace_chunk::slots) {
        chunk_ = &rank_->add_chunk(number_, time, dropped_);
        base_ = time;
        dropped_ = 0;
    }
    if (!fits(time - base_)) {
        chunk_->records[chunk_->used] = {};
        chunk_->records[chunk_->used++].base = base_ = time;
    }
    auto* const first = chunk_->records + chunk_->used;
    chunk_->used += count;
    ++chunk_->count;
    return first;
}

void thread_builder::put_phase(trace_slot type, std::string const& name, std::int64_t time) {
    time += rank_->facts.start;
    trace_kind row;
    row.phase = rank_->text(name);
    trace_record made;
    made.type = type;
    made.kind = rank_->kind(row);
    auto* const slot = slots(time, 1);
    made.begin = static_cast<std::int32_t>(time - base_);
    *slot = made;
}

void thread_builder::put_wide(trace_record first, void const* rest, std::int64_t time) {
    auto* const slot = slots(time, 3);
    *slot = first;
    std::memcpy(static_cast<void*>(slot + 1), rest, 2 * sizeof(trace_record));
}

thread_builder& rank_builder::thread(std::string const& name) {
    for (auto& each : threads_)
        if (each.name == name) return each.builder;
    return another_thread(name);
}

thread_builder& rank_builder::another_thread(std::string const& name) {
    auto const number = static_cast<std::uint32_t>(threads_.size() + 1);
    text(name);
    return threads_.emplace_back(made_thread{name, 0, thread_builder{*this, number}}).builder;
}

rank_builder& rank_builder::communicator(trace_communicator row, std::string const& name) {
    communicators_.push_back(copy(row, text(name)));
    return *this;
}

std::uint16_t rank_builder::kind(trace_kind const& row) {
    auto const found = std::find_if(kinds_.begin() + 1, kinds_.end(), [&](trace_kind const& each) {
        return std::memcmp(&each, &row, sizeof row) == 0;
    });
    if (found != kinds_.end()) return static_cast<std::uint16_t>(found - kinds_.begin());
    auto const known = [&](trace_communicator const& each) { return each.id == row.communicator; };
    if (std::none_of(communicators_.begin(), communicators_.end(), known)) {
        auto const rank = static_cast<std::int32_t>(number_);
        auto const size = static_cast<std::int32_t>(world_size_);
        if (row.communicator == mpiprof::world_communicator)
            communicator({0, -1, size, -1, rank, 0, 0, 0}, "MPI_COMM_WORLD");
        if (row.communicator == mpiprof::self_communicator)
            communicator({1, -1, 1, -1, 0, rank, 0, 0}, "MPI_COMM_SELF");
    }
    kinds_.push_back(row);
    return static_cast<std::uint16_t>(kinds_.size() - 1);
}

std::uint16_t rank_builder::kind(mpiprof::call const& record, std::string const& phase) {
    trace_kind row;
    row.operation = static_cast<std::uint16_t>(record.operation);
    row.request = static_cast<std::uint16_t>(record.request);
    row.root = record.root;
    row.communicator = record.communicator;
    row.file = text(record.site.file());
    row.line = record.site.line();
    row.phase = text(phase);
    return kind(row);
}

std::uint16_t rank_builder::kind(mpiprof::completion const& record, std::string const& phase) {
    trace_kind row;
    row.operation = static_cast<std::uint16_t>(record.operation);
    row.communicator = record.communicator;
    row.file = text(record.site.file());
    row.line = record.site.line();
    row.phase = text(phase);
    return kind(row);
}

std::uint32_t rank_builder::text(std::string const& text) {
    auto const [place, is_new] = text_places_.emplace(text, static_cast<std::uint32_t>(texts_.size()));
    if (is_new) texts_.append(text).push_back('\0');
    return place->second;
}

trace_chunk& rank_builder::add_chunk(std::uint32_t thread, std::int64_t base, std::uint64_t dropped) {
    auto& chunk = chunks_.emplace_back();
    std::memset(static_cast<void*>(chunk.records), 0, sizeof chunk.records);
    chunk.state = trace_chunk::use::full;
    chunk.thread = thread;
    chunk.number = chunks_.size();
    chunk.base = base;
    chunk.dropped = dropped;
    return chunk;
}

std::string rank_builder::tables(trace_head& head) const {
    std::string bytes;
    std::deque<trace_thread> rows(threads_.size() + 1);
    std::string thread_bytes;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i > 0) {
            rows[i].id = facts.process + static_cast<std::int64_t>(i) - 1;
            rows[i].name = text_places_.at(threads_[i - 1].name);
            rows[i].dropped = threads_[i - 1].dropped;
        }
        thread_bytes.append(reinterpret_cast<char const*>(&rows[i]), sizeof rows[i]);
    }
    append(bytes, head.parts.kinds, kinds_.data(), kinds_.size(), head_size);
    append(bytes, head.parts.communicators, communicators_.data(), communicators_.size(), head_size);
    append(bytes, head.parts.threads, thread_bytes.data(), thread_bytes.size(), head_size);
    head.parts.threads.row_size = sizeof(trace_thread);
    head.parts.threads.used = rows.size();
    append(bytes, head.parts.texts, texts_.data(), texts_.size(), head_size);
    bytes.resize((bytes.size() + 7) / 8 * 8);
    return bytes;
}

std::string rank_builder::bytes() const {
    auto const head = std::make_unique<trace_head>();
    std::memcpy(head->magic, trace_head::right_magic, sizeof head->magic);
    head->version = trace_head::right_version;
    head->order = trace_head::right_order;
    head->operations = mpiprof::operation_count;
    head->process = facts.process;
    head->rank = number_;
    head->world_size = world_size_;
    head->rate = facts.rate;
    head->start = facts.start;
    head->monotonic_start = facts.monotonic_start;
    head->realtime_start = facts.realtime_start;
    head->samples = facts.samples.size();
    std::copy(facts.samples.begin(), facts.samples.end(), head->sample);
    head->finished = facts.finished ? 1 : 0;
    head->keeps_newest = facts.keeps_newest ? 1 : 0;
    head->has_gaps = facts.has_gaps ? 1 : 0;
    head->parts.overwritten = facts.overwritten;
    head->parts.first = facts.first_chunk;
    put_text(head->start_time, "2026-12-01T12:00:00Z");
    put_text(head->clock, facts.clock);
    put_text(head->boot, facts.boot);
    put_text(head->host, facts.host);
    put_text(head->library, facts.library);
    put_text(head->program, facts.program);
    put_text(head->command, facts.command);
    put_text(head->job, facts.job);
    put_text(head->spilled, facts.spilled);
    auto const rest = tables(*head);
    auto& chunks = head->parts.chunks;
    chunks.offset = head_size + rest.size();
    chunks.row_size = sizeof(trace_chunk);
    chunks.used = chunks_.size() - facts.spilled_chunks;
    std::string bytes(reinterpret_cast<char const*>(head.get()), sizeof *head);
    bytes.resize(head_size);
    bytes += rest;
    for (auto i = facts.spilled_chunks; i < chunks_.size(); ++i)
        bytes.append(reinterpret_cast<char const*>(&chunks_[i]), sizeof chunks_[i]);
    return bytes;
}

std::string rank_builder::spilled_bytes() const {
    std::string bytes(chunks_offset(), '\0');
    for (std::size_t i = 0; i < facts.spilled_chunks; ++i)
        bytes.append(reinterpret_cast<char const*>(&chunks_[i]), sizeof chunks_[i]);
    return bytes;
}

std::uint64_t rank_builder::chunks_offset() const {
    auto const head = std::make_unique<trace_head>();
    return head_size + tables(*head).size();
}

rank_builder& trace_builder::rank(std::int64_t number) {
    return ranks_.try_emplace(number, number, world_size_).first->second;
}

std::vector<std::string> trace_builder::write(std::string const& folder) const {
    std::vector<std::string> paths;
    for (auto const& [number, rank] : ranks_) {
        paths.push_back(folder + "/run.rank" + std::to_string(number) + ".trace");
        write_bytes(paths.back(), rank.bytes());
        if (!rank.facts.spilled.empty()) write_bytes(rank.facts.spilled, rank.spilled_bytes());
    }
    return paths;
}

std::string trace_builder::write_archive(std::string const& path) const {
    trace_archive_head head;
    std::memcpy(head.magic, trace_archive_head::right_magic, sizeof head.magic);
    head.version = trace_archive_head::right_version;
    head.order = trace_head::right_order;
    head.count = ranks_.size();
    std::string bytes(reinterpret_cast<char const*>(&head), sizeof head);
    auto offset = bytes.size() + ranks_.size() * sizeof(trace_archive_head::entry);
    std::string traces;
    for (auto const& [number, rank] : ranks_) {
        auto const one = rank.bytes();
        trace_archive_head::entry const entry{number, offset + traces.size(), one.size()};
        bytes.append(reinterpret_cast<char const*>(&entry), sizeof entry);
        traces += one;
    }
    write_bytes(path, bytes + traces);
    return path;
}

void write_bytes(std::string const& path, std::string const& bytes) {
    std::ofstream{path, std::ios::binary} << bytes;
}

}  // namespace test_support
