// The names and numbers that the records of a trace have in common, each kept once.
#pragma once

#include <mpiprof/sinks/row_table.hpp>
#include <mpiprof/sinks/summary_shard.hpp>
#include <mpiprof/sinks/trace_memory.hpp>

#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace mpiprof::inline v1::sinks {

/// What a kind of records is found by: the words of a summary_key, and the root. Apart, they stay in
/// registers; a struct in it would be written to memory in parts and read as a whole, for which a processor
/// waits.
struct trace_key {
    char const* file = nullptr;
    std::uint64_t place = 0;
    std::uint64_t scope = 0;
    int root = not_applicable;

    [[gnu::always_inline]] static constexpr trace_key of(summary_key const& key, int root) noexcept {
        return {key.file(), key.place(), key.scope(), root};
    }

    constexpr summary_key key() const noexcept { return {file, place, scope}; }

    constexpr bool operator==(trace_key const&) const = default;

    [[gnu::always_inline]] std::uint64_t hash() const noexcept {
        // The root goes into the bits that tell the most.
        return summary_key::hash(file, place, scope) +
               (std::uint64_t{static_cast<std::uint32_t>(root)} << 50);
    }
};

/// What is known of a communicator, and its name.
struct described_communicator {
    trace_communicator row;
    char name[256] = {};
};

/// Where the trace asks what a communicator is; set by the floor that knows them. False where that does not
/// know it.
using communicator_describer = bool (*)(communicator_id, described_communicator&) noexcept;
inline constinit std::atomic<communicator_describer> describe_communicator{nullptr};

/// The tables of a trace. Rows are added under a lock, when a kind of records comes for the first time, and
/// stay.
class trace_names {
  public:
    static constexpr std::size_t most_kinds = 16384;
    static constexpr std::size_t most_communicators = 4096;
    static constexpr std::size_t most_threads = 1024;
    /// Each takes a chunk of its own, so that a program that makes any number of threads would fill the
    /// memory with chunks that have little in them.
    static constexpr std::size_t most_threads_apart = 128;
    static constexpr std::size_t texts_size = std::size_t{1} << 20;
    /// Bytes that all tables take.
    static constexpr std::size_t room = (most_kinds + 1) * sizeof(trace_kind) +
                                        most_communicators * sizeof(trace_communicator) +
                                        most_threads * sizeof(trace_thread) + texts_size;

    /// Puts the tables into the memory, after its head. Returns where they end; 0 where there is no room.
    [[gnu::cold]] std::size_t use(trace_memory& memory) noexcept {
        std::lock_guard const lock{mutex_};
        auto end = memory.head;
        auto const place = [&]<class Row>(trace_part& part, Row*& rows, std::size_t most) {
            part.offset = end;
            part.row_size = sizeof(Row);
            rows = reinterpret_cast<Row*>(memory.begin + end);
            end += most * sizeof(Row);
        };
        auto& parts = *memory.parts;
        place(parts.kinds, kinds_, most_kinds + 1);
        place(parts.communicators, communicators_, most_communicators);
        place(parts.threads, threads_, most_threads);
        place(parts.texts, texts_, texts_size);
        index_.reset(new (std::nothrow) index);
        if (index_ == nullptr || end > memory.size || !memory.reserve(end)) return 0;
        parts_ = &parts;
        ::new (static_cast<void*>(kinds_)) trace_kind;
        ::new (static_cast<void*>(threads_)) trace_thread;
        parts.kinds.used.store(1, std::memory_order_release);
        parts.threads.used.store(1, std::memory_order_release);
        parts.texts.used.store(1, std::memory_order_release);
        return end;
    }

    /// The number of a kind; of a coarser one where there is no room for more, and 0 at last. What goes first
    /// is the phase, whose begin and end are records of their own; the communicator and the root, by which
    /// partners are told, go last.
    [[gnu::cold, gnu::noinline]] std::uint16_t number_of(trace_key const& key) noexcept {
        std::lock_guard const lock{mutex_};
        auto const prepare = [this](kind_row& row) { return add_kind(row.key); };
        constexpr auto all = most_kinds;
        auto& kinds = index_->kinds;
        auto const words = key.key();
        struct step {
            summary_key words;
            int root;
            std::size_t most;
        };
        auto const* row = kinds.rows();
        for (auto const& [coarser, root, most] :
             {step{words, key.root, all - all / 4}, step{words.without_phase(), key.root, all - all / 8},
              step{words.without_place(), key.root, all - all / 16},
              step{words.operation_alone(), not_applicable, all}}) {
            row = &kinds.find(trace_key::of(coarser, root), prepare, most);
            if (!kinds.is_overflow(*row)) break;
        }
        return static_cast<std::uint16_t>(row - kinds.rows());
    }

    /// Enters the calling thread, and returns its number; 0 where there is no room.
    [[gnu::cold]] std::uint32_t add_thread() noexcept {
        std::lock_guard const lock{mutex_};
        auto const number = parts_->threads.used.load(std::memory_order_relaxed);
        if (number == most_threads) return 0;
        auto& row = *::new (static_cast<void*>(threads_ + number)) trace_thread;
        row.id = ::syscall(SYS_gettid);
        char name[64] = "main thread";
        if (row.id != ::getpid()) ::pthread_getname_np(::pthread_self(), name, sizeof name);
        row.name = keep(name);
        parts_->threads.used.store(number + 1, std::memory_order_release);
        return static_cast<std::uint32_t>(number);
    }

    /// Is there room for so many more threads that those which follow an ended one can be told from it?
    bool tells_threads_apart() const noexcept {
        return parts_->threads.used.load(std::memory_order_relaxed) <= most_threads_apart;
    }

    std::atomic<std::uint64_t>& dropped_by(std::uint32_t thread) noexcept { return threads_[thread].dropped; }

    /// Learns what became known of the communicators meanwhile: their last names.
    [[gnu::cold]] void update_communicators() noexcept {
        std::lock_guard const lock{mutex_};
        for (std::uint64_t i = 0; i < parts_->communicators.used.load(std::memory_order_relaxed); ++i)
            describe(communicators_[i]);
    }

  private:
    struct kind_row {
        trace_key key;
    };
    struct communicator_key {
        communicator_id id = unknown_communicator;
        constexpr bool operator==(communicator_key const&) const = default;
        std::uint64_t hash() const noexcept { return static_cast<std::uint64_t>(id) * 0x9e3779b97f4a7c15; }
    };
    struct known_communicator {
        communicator_key key;
    };

    static constexpr std::size_t text_slots = std::size_t{1} << 15;

    /// By which rows are found again, in this process.
    struct index {
        row_table<kind_row, most_kinds> kinds;
        row_table<known_communicator, most_communicators> communicators;
        std::uint32_t texts[text_slots] = {};
    };

    bool add_kind(trace_key const& key) noexcept {
        trace_kind made;
        auto const words = key.key();
        made.operation = static_cast<std::uint16_t>(words.operation());
        made.request = static_cast<std::uint16_t>(words.request());
        made.root = key.root;
        made.communicator = words.communicator();
        made.line = words.line();
        auto const* const file = words.file();
        auto const name_of = phase_name.load(std::memory_order_acquire);
        made.file = keep(file == nullptr ? "" : file);
        made.phase = keep(name_of == nullptr ? "" : name_of(words.phase()));
        if (made.file == no_room || made.phase == no_room) return false;
        if (made.communicator != unknown_communicator) add_communicator(made.communicator);
        auto const number = parts_->kinds.used.load(std::memory_order_relaxed);
        ::new (static_cast<void*>(kinds_ + number)) trace_kind{made};
        parts_->kinds.used.store(number + 1, std::memory_order_release);
        return true;
    }

    void add_communicator(communicator_id id) noexcept {
        static_cast<void>(index_->communicators.find({id}, [&](known_communicator&) {
            auto const number = parts_->communicators.used.load(std::memory_order_relaxed);
            auto& row = *::new (static_cast<void*>(communicators_ + number)) trace_communicator;
            row.id = id;
            describe(row);
            parts_->communicators.used.store(number + 1, std::memory_order_release);
            return true;
        }));
    }

    void describe(trace_communicator& row) noexcept {
        auto const ask = describe_communicator.load(std::memory_order_acquire);
        described_communicator known;
        if (ask == nullptr || !ask(row.id, known)) return;
        known.row.id = row.id;
        auto const name = keep(known.name);
        known.row.name = name == no_room ? 0 : name;
        row = known.row;
    }

    static constexpr std::uint32_t no_room = UINT32_MAX;

    /// The place of a text, kept if need be; `no_room` if it does not fit.
    std::uint32_t keep(char const* text) noexcept {
        auto const size = std::strlen(text);
        if (size == 0) return 0;
        std::uint64_t hash = 0;
        for (std::size_t i = 0; i < size; ++i)
            hash = (hash ^ static_cast<unsigned char>(text[i])) * 0x9e3779b97f4a7c15;
        for (std::size_t probe = 0; probe < text_slots; ++probe) {
            auto& place = index_->texts[((hash >> 40) + probe) % text_slots];
            if (place == 0) {
                auto const used = parts_->texts.used.load(std::memory_order_relaxed);
                if (size >= texts_size - used) return no_room;
                std::memcpy(texts_ + used, text, size + 1);
                place = static_cast<std::uint32_t>(used);
                parts_->texts.used.store(used + size + 1, std::memory_order_release);
                return place;
            }
            if (std::strcmp(texts_ + place, text) == 0) return place;
        }
        return no_room;
    }

    std::mutex mutex_;
    std::unique_ptr<index> index_;
    trace_parts* parts_ = nullptr;
    trace_kind* kinds_ = nullptr;
    trace_communicator* communicators_ = nullptr;
    trace_thread* threads_ = nullptr;
    char* texts_ = nullptr;
};

}  // namespace mpiprof::inline v1::sinks
