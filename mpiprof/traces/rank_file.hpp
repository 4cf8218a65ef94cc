// The trace of one rank as it lies in a file.
#pragma once

#include <mpiprof/run/trace_head.hpp>
#include <mpiprof/traces/chunk_slots.hpp>
#include <mpiprof/traces/input_file.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace mpiprof::inline v1::traces {

/// Where the trace of one rank lies: a whole file, or a part of one.
struct rank_place {
    std::string path;
    std::uint64_t offset = 0;
    /// UINT64_MAX: to the end.
    std::uint64_t size = UINT64_MAX;
};

/// The traces that a file holds. Of a file of several that is cut off or damaged those are left out of which
/// nothing is there, with a line in `notes`. Throws results::input_error where it holds none.
std::vector<rank_place> find_ranks(std::string const& path, std::vector<std::string>& notes);

/// Is it a file of traces, as far as its first bytes tell?
bool is_trace_file(std::string const& path);

/// The head of a rank's trace. Throws results::input_error where it cannot be used.
std::unique_ptr<trace_head> read_head(rank_place const& place);

/// What a file holds of one rank: its head and tables, which are in memory, and where its chunks are.
class rank_file {
  public:
    /// Throws results::input_error, naming file and byte, where nothing can be used. What is damaged or
    /// missing otherwise is left out, with a line in `notes`.
    rank_file(rank_place place, std::vector<std::string>& notes);

    trace_head const& head() const noexcept { return *head_; }
    std::string const& path() const noexcept { return place_.path; }
    std::int64_t number() const noexcept { return head_->rank; }

    std::vector<sinks::trace_kind> const& kinds() const noexcept { return kinds_; }
    std::vector<sinks::trace_communicator> const& communicators() const noexcept { return communicators_; }
    /// The text at this place; "" where there is none. Lives as long as this.
    char const* text(std::uint64_t place) const noexcept;
    std::string const& texts() const noexcept { return texts_; }

    /// A row of the table of threads; 0 is those that found no row.
    struct thread {
        std::int64_t id = 0;
        std::string name;
        /// Place of its name in the texts; that of "" where it had none.
        std::uint32_t text = 0;
        /// Records that were lost, the damaged ones included.
        std::uint64_t dropped = 0;
        /// Numbers of its chunks in `chunks()`, in their order.
        std::vector<std::size_t> chunks;
    };
    std::vector<thread> const& threads() const noexcept { return threads_; }

    /// A chunk, and what of it can be read.
    struct chunk {
        /// In the spilled file, not in the trace's own.
        bool spilled = false;
        std::uint64_t offset = 0;
        std::uint64_t number = 0;
        std::uint32_t used = 0;
        /// Calls, completions and phases in it.
        std::uint32_t count = 0;
    };
    std::vector<chunk> const& chunks() const noexcept { return chunks_; }
    /// Ticks of the last event; the start, if there is none.
    std::int64_t last() const noexcept { return last_; }

    /// Calls visit(chunk) for the chunks of these numbers in `chunks()`, read one after the other. Throws
    /// results::input_error where they cannot be read any more.
    void for_each_chunk(std::vector<std::size_t> const& numbers,
                        std::function<void(sinks::trace_chunk const&, chunk const&)> const& visit) const;

  private:
    struct loader;
    class chunk_source;

    rank_place place_;
    std::string spilled_path_;
    std::unique_ptr<trace_head> head_;
    std::vector<sinks::trace_kind> kinds_;
    std::vector<sinks::trace_communicator> communicators_;
    std::string texts_;
    std::vector<thread> threads_;
    std::vector<chunk> chunks_;
    std::int64_t last_ = 0;
};

}  // namespace mpiprof::inline v1::traces
