// What one thread has recorded in a summary: all of it in one piece of memory, without pointers to others.
#pragma once

#include <mpiprof/sinks/row_table.hpp>
#include <mpiprof/sinks/summary_rows.hpp>
#include <mpiprof/sinks/summary_view.hpp>
#include <mpiprof/sinks/text_area.hpp>

#include <atomic>
#include <cstddef>

namespace mpiprof::inline v1::sinks {

/// Where the sink asks for the name of a phase; set by the floor that keeps the names.
using phase_namer = char const* (*)(phase_id) noexcept;
inline constinit std::atomic<phase_namer> phase_name{nullptr};

/// Rows of one thread, with room for `Capacity` kinds of calls, half as many of completions and twice as many
/// peers.
template <std::size_t Capacity>
class summary_shard {
  public:
    summary_shard() noexcept : layout_{layout()} {}

    /// Adds a call of a kind that was seen before, with nothing out of the ordinary; does nothing and returns
    /// false for any other. No function is called, so that few registers are to be saved.
    [[gnu::always_inline]] bool record_quickly(call const& record) noexcept {
        auto* const row = calls_.match(key_of(record, record.request));
        if (row == nullptr || !row->is_ordinary(record)) return false;
        peer_row* peer = nullptr;
        if (has_peer(record)) {
            peer = peers_.match({record.communicator, record.peer});
            if (peer == nullptr) return false;
        }
        row->add(record);
        if (peer != nullptr) peer->add(record);
        last_.set(record.end);
        return true;
    }

    void record(call const& record) noexcept {
        row_of(calls_, key_of(record, record.request)).add(record);
        if (has_peer(record)) peer_of(record.communicator, record.peer).add(record);
        last_.set(record.end);
    }

    [[gnu::always_inline]] bool complete_quickly(completion const& record) noexcept {
        auto* const row = completions_.match(key_of(record, operation::none));
        if (row == nullptr) return false;
        peer_row* peer = nullptr;
        if (has_peer(record)) {
            peer = peers_.match({record.communicator, record.peer});
            if (peer == nullptr) return false;
        }
        row->add(record);
        if (peer != nullptr) peer->add(record);
        return true;
    }

    void complete(completion const& record) noexcept {
        row_of(completions_, key_of(record, operation::none)).add(record);
        if (has_peer(record)) peer_of(record.communicator, record.peer).add(record);
    }

    /// For its thread, while no other one of the process reads.
    void clear() noexcept {
        calls_.clear();
        completions_.clear();
        peers_.clear();
        last_.set(0);
        texts_.clear();
        files_.clear();
        open_.set(0);
        layout_.outdated.set(0);
    }

    /// Whoever reads is to take it as empty until it is cleared.
    void outdate() noexcept { layout_.outdated.set(1); }

    /// The thread goes into a call, which is not recorded before it returns: should it never do so, a reader
    /// sees it here. No clock is read: the call began after the end of the last one. What is returned is to
    /// be set to 0 when the call has returned.
    [[gnu::always_inline]] counter& open(mpiprof::operation operation, call_site site) noexcept {
        auto const* file = files_.match({site.file()});
        if (file == nullptr) [[unlikely]]
            file = &keep_file(site.file());
        open_.set(open_call{operation, file->text, site.line()}.word());
        return open_;
    }

  private:
    summary_layout layout() const noexcept {
        auto const table = [this](auto const& of) {
            return summary_layout::table{offset(&of.used()), offset(of.rows()), of.capacity};
        };
        return {table(calls_),   table(completions_), table(peers_),  offset(texts_.data()),
                texts_.capacity, offset(&last_),      offset(&open_), {}};
    }

    std::uint64_t offset(void const* part) const noexcept {
        return static_cast<std::uint64_t>(static_cast<char const*>(part) -
                                          reinterpret_cast<char const*>(this));
    }

    template <class Record>
    [[gnu::always_inline]] static summary_key key_of(Record const& record,
                                                     mpiprof::operation request) noexcept {
        return {record.operation, request, record.phase, record.communicator, record.site};
    }

    /// Has this call a part in the messages between two ranks?
    [[gnu::always_inline]] static bool has_peer(call const& record) noexcept {
        switch (message_side_of(record.operation, record.request)) {
        case message_side::sent:
        case message_side::received:
        case message_side::both:
        case message_side::exchanged:
            return record.peer >= 0 && (record.flags & call_failed) == 0;
        default:
            return false;
        }
    }

    /// The same of a completion.
    [[gnu::always_inline]] static bool has_peer(completion const& record) noexcept {
        if (record.peer < 0) return false;
        // Sends that were started together have not been counted yet.
        if (record.cancelled) return request_sends(record.operation) && record.sent < 0;
        return completion_brings_message(record.operation) || record.sent >= 0;
    }

    /// A program may make any number of communicators: the last quarter of the rows is for what finds no room
    /// with its communicator, and the last eighth for what finds none with its place, so that the sums of
    /// operations stay whole.
    template <class Table>
    auto& row_of(Table& table, summary_key const& key) noexcept {
        auto const prepare = [this](named_key& row) { return keep_names(row); };
        constexpr auto all = Table::capacity;
        auto& exact = table.find(key, prepare, all - all / 4);
        if (!table.is_overflow(exact)) return exact;
        auto& coarse = table.find(key.without_communicator(), prepare, all - all / 8);
        return table.is_overflow(coarse) ? table.find(key.operation_alone(), prepare) : coarse;
    }

    peer_row& peer_of(communicator_id communicator, int rank) noexcept {
        return peers_.find({communicator, rank}, [](peer_row&) { return true; });
    }

    [[gnu::noinline]] file_row& keep_file(char const* file) noexcept {
        return files_.find({file}, [this](file_row& row) {
            auto const place = texts_.keep(row.key.file);
            if (place < open_call::no_text) row.text = place;
            return row.text == place;
        });
    }

    /// Keeps the names of a new row, since the row may be read when their memory is gone.
    bool keep_names(named_key& row) noexcept {
        row.file = texts_.keep(row.key.file());
        auto const name_of = phase_name.load(std::memory_order_acquire);
        row.phase = texts_.keep(name_of == nullptr ? "" : name_of(row.key.phase()));
        return row.file != texts_.no_room && row.phase != texts_.no_room;
    }

    summary_layout layout_;
    row_table<call_row, Capacity> calls_;
    row_table<completion_row, (Capacity + 1) / 2> completions_;
    row_table<peer_row, Capacity * 2> peers_;
    row_table<file_row, (Capacity + 1) / 2> files_;
    counter last_;
    counter open_;
    // A call site of an unmodified program is the path of a module and what tells its build.
    text_area<Capacity * 128> texts_;
};

}  // namespace mpiprof::inline v1::sinks
