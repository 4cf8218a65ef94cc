// A trace in a file of the process, and the finished file that is made of it.
#pragma once

#include <mpiprof/core/errno_kept.hpp>
#include <mpiprof/results/file.hpp>
#include <mpiprof/run/process_file.hpp>
#include <mpiprof/run/process_head.hpp>
#include <mpiprof/run/trace_head.hpp>
#include <mpiprof/run/trace_writer.hpp>
#include <mpiprof/sinks/trace.hpp>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <mutex>
#include <new>
#include <string>

namespace mpiprof::inline v1 {

namespace detail {

/// A sink that a trace can be made of.
template <class Sink>
concept tracing_sink = requires(Sink& value, sinks::trace_memory& memory) {
    value.keep_trace_in(memory);
    value.store();
};

}  // namespace detail

/// Memory of a trace, shared with a file where there can be one.
class trace_file final : public sinks::trace_memory {
  public:
    /// Makes the file `<name>.trace` in the folder, with room for `bytes` of records. Returns what went
    /// wrong, 0 if nothing; then the memory is the process's alone, or not there at all (`begin` is nullptr).
    [[gnu::cold]] int open(std::string const& folder, std::string const& name, std::size_t bytes) {
        head = head_size;
        size = head_size + sinks::trace_names::room + page + bytes;
        int error = folder == "none" ? 0 : file_.open(folder, name, ".trace");
        if (error == 0 && file_.owned()) {
            // With all that it needs beside chunks, of which there may be none.
            reserved_ = head_size + sinks::trace_names::room;
            begin = file_.reserve(0, reserved_) ? static_cast<char*>(file_.map(0, size)) : nullptr;
            if (begin == nullptr) {
                error = errno;
                file_.remove();
            }
        }
        if (begin == nullptr) begin = own_memory(size);
        if (begin != nullptr) describe_process();
        return error;
    }

    trace_head& head_of() noexcept { return *head_; }
    std::string const& path() const noexcept { return file_.path(); }

    bool reserve(std::size_t end) noexcept override {
        // Memory that is shared with nobody is there when it is written to.
        return !file_.owned() || end <= reserved_ || reserve_more(end);
    }

    /// The recording starts at this moment: `ticks` by its clock.
    [[gnu::cold]] void start_at(std::int64_t ticks, std::string const& utc_time) noexcept {
        head_->start = ticks;
        head_->monotonic_start = nanoseconds_of(CLOCK_MONOTONIC);
        head_->realtime_start = nanoseconds_of(CLOCK_REALTIME);
        detail::copy_text(head_->start_time, utc_time);
    }

    /// What the clock was by rank 0's; the first sample counts and the last one.
    [[gnu::cold]] void add_sample(clock_sample const& sample) noexcept {
        std::uint64_t const number = head_->samples.load(std::memory_order_relaxed) == 0 ? 0 : 1;
        head_->sample[number] = sample;
        head_->samples.store(number + 1, std::memory_order_release);
    }

    /// From now on full chunks are written to the file that the finished trace will be.
    [[gnu::cold]] void spill_to(std::string const& finished, sinks::trace_chunks& chunks) {
        if (spill_.start(finished, chunks, parts->chunks.offset))
            detail::copy_text(head_->spilled, spill_.output().path());
    }

    /// Makes the finished file of what there is.
    [[gnu::cold]] results::written_file finish(std::string const& finished, sinks::trace_store& store) {
        store.names.update_communicators();
        return write_trace(*this, store.chunks, finished, spill_);
    }

    /// Takes the file's name away; what is mapped stays. Not in a child of the process that made it.
    void remove() noexcept { file_.remove(); }

  private:
    static constexpr std::size_t page = 4096;
    static constexpr std::size_t head_size = (sizeof(trace_head) + page - 1) / page * page;

    static char* own_memory(std::size_t bytes) noexcept {
        auto* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        return memory == MAP_FAILED ? nullptr : static_cast<char*>(memory);
    }

    static std::int64_t nanoseconds_of(::clockid_t which) noexcept {
        ::timespec now{};
        ::clock_gettime(which, &now);
        return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
    }

    [[gnu::cold]] void describe_process() {
        head_ = ::new (static_cast<void*>(begin)) trace_head;
        parts = &head_->parts;
        detail::describe_process(*head_);
        head_->order = trace_head::right_order;
        head_->operations = operation_count;
        head_->keeps_newest = keeps_newest ? 1 : 0;
        detail::copy_text(head_->boot, first_line(detail::file_text("/proc/sys/kernel/random/boot_id")));
    }

    static std::string_view first_line(std::string_view text) noexcept {
        return text.substr(0, text.find('\n'));
    }

    [[gnu::cold]] bool reserve_more(std::size_t end) noexcept {
        detail::errno_kept const kept;
        if (!file_.reserve(reserved_, end - reserved_)) return false;
#ifdef MADV_POPULATE_WRITE
        // At once, which is quicker than page by page when they are written to; kernels before 5.14 cannot.
        ::madvise(begin + reserved_ / page * page, end - reserved_ / page * page, MADV_POPULATE_WRITE);
#endif
        reserved_ = end;
        return true;
    }

    process_file file_;
    std::size_t reserved_ = 0;
    trace_head* head_ = nullptr;
    trace_spill spill_;
};

}  // namespace mpiprof::inline v1
