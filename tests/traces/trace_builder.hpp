// Traces made by hand, as their layout has them; nothing of the sink that writes real ones is used.
#pragma once

#include <mpiprof/run/trace_head.hpp>

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace test_support {

/// What a rank's trace says of its process. Whatever matters to times is to be set before the first record.
struct rank_facts {
    /// In ticks: times of records count from it.
    std::int64_t start = 1'000'000;
    std::int64_t monotonic_start = 5'000'000'000;
    std::int64_t realtime_start = 1'700'000'000'000'000'000;
    double rate = 1;
    /// With ticks as they are in the file.
    std::vector<mpiprof::clock_sample> samples = {};
    std::string clock = "steady";
    std::string boot = "one boot";
    std::string host = "node";
    std::string job = "job";
    std::string program = "small";
    std::string command = "./small";
    std::string library = "a library";
    std::uint32_t process = 100;
    bool finished = true;
    bool keeps_newest = false;
    bool has_gaps = false;
    std::uint64_t overwritten = 0;
    std::uint64_t first_chunk = 1;
    /// So many of the chunks lie in the file of this path.
    std::size_t spilled_chunks = 0;
    std::string spilled = "";
};

class rank_builder;

/// The records of one thread, each after the one before it. Times are ticks from the start of the recording;
/// a record's phase is the innermost one that is open.
class thread_builder {
  public:
    thread_builder(rank_builder& rank, std::uint32_t number) : rank_{&rank}, number_{number} {}

    thread_builder& phase_begin(std::string const& name, std::int64_t time);
    thread_builder& phase_end(std::string const& name, std::int64_t time);
    thread_builder& call(mpiprof::call record);
    /// So many calls that found nothing, of which the first is given; the last ends at `end`.
    thread_builder& repeated(mpiprof::call first, std::uint32_t count, std::int64_t end, std::int64_t inside);
    thread_builder& completion(mpiprof::completion record);
    /// Records that are lost here.
    thread_builder& dropped(std::uint64_t count);
    /// What follows comes in a chunk of its own.
    thread_builder& next_chunk();
    /// From now on records have the wide form, whether they need it or not.
    thread_builder& wide();

  private:
    mpiprof::sinks::trace_record* slots(std::int64_t time, std::uint32_t count);
    void put_phase(mpiprof::sinks::trace_slot type, std::string const& name, std::int64_t time);
    void put_wide(mpiprof::sinks::trace_record first, void const* rest, std::int64_t time);

    rank_builder* rank_;
    std::uint32_t number_;
    mpiprof::sinks::trace_chunk* chunk_ = nullptr;
    std::int64_t base_ = 0;
    std::uint64_t dropped_ = 0;
    bool wide_ = false;
    std::vector<std::string> phases_;
};

/// The trace of one rank.
class rank_builder {
  public:
    rank_builder(std::int64_t number, std::int64_t world_size) : number_{number}, world_size_{world_size} {}
    rank_builder(rank_builder const&) = delete;
    rank_builder& operator=(rank_builder const&) = delete;

    rank_facts facts;

    /// The thread of this name, made where there is none yet.
    thread_builder& thread(std::string const& name = "main thread");
    /// One more thread, whether one of this name is there or not.
    thread_builder& another_thread(std::string const& name);
    /// A communicator that the rank is in. World and self need none: they are entered when they are used.
    rank_builder& communicator(mpiprof::sinks::trace_communicator row, std::string const& name = "");

    /// The file.
    std::string bytes() const;
    /// The file that chunks were spilled to.
    std::string spilled_bytes() const;
    /// Where the chunks begin in both.
    std::uint64_t chunks_offset() const;

  private:
    friend class thread_builder;

    struct made_thread {
        std::string name;
        std::uint64_t dropped = 0;
        thread_builder builder;
    };

    std::uint16_t kind(mpiprof::sinks::trace_kind const& row);
    std::uint16_t kind(mpiprof::call const& record, std::string const& phase);
    std::uint16_t kind(mpiprof::completion const& record, std::string const& phase);
    std::uint32_t text(std::string const& text);
    mpiprof::sinks::trace_chunk& add_chunk(std::uint32_t thread, std::int64_t base, std::uint64_t dropped);
    std::string tables(mpiprof::trace_head& head) const;

    std::int64_t number_;
    std::int64_t world_size_;
    std::deque<made_thread> threads_;
    std::vector<mpiprof::sinks::trace_kind> kinds_ = {{}};
    std::vector<mpiprof::sinks::trace_communicator> communicators_;
    std::string texts_ = std::string(1, '\0');
    std::map<std::string, std::uint32_t> text_places_ = {{"", 0}};
    std::deque<mpiprof::sinks::trace_chunk> chunks_;
};

/// The traces of a run.
class trace_builder {
  public:
    explicit trace_builder(std::int64_t world_size) : world_size_{world_size} {}

    /// The rank's trace, made where there is none yet.
    rank_builder& rank(std::int64_t number);

    /// Writes a file for each rank that there is, "run.rank0.trace" …; returns their paths.
    std::vector<std::string> write(std::string const& folder) const;
    /// Writes one file for all; returns its path.
    std::string write_archive(std::string const& path) const;

  private:
    std::int64_t world_size_;
    std::map<std::int64_t, rank_builder> ranks_;
};

/// Writes a file.
void write_bytes(std::string const& path, std::string const& bytes);

/// Identities in small_program.
inline constexpr mpiprof::communicator_id halo = 0x2a;
inline constexpr mpiprof::communicator_id between = 0x99;
inline constexpr mpiprof::communicator_id badly_named = 0x77;
/// Its name: a quote, a backslash, control characters, no UTF-8.
inline constexpr char const* bad_name = "a\"b\\c\n\x01\xff";

/// A program of four ranks, of which each time is known (see its definition): sends and receives, requests, a
/// sendrecv, collectives, a split communicator "halo" of ranks 1 and 0, an intercommunicator of ranks 0 and 1
/// with 2 and 3, self, nested phases, a failed call, unsuccessful tests, a send that nobody received, names
/// that no format likes.
trace_builder small_program();

}  // namespace test_support
