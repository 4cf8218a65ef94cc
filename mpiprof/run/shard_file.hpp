// Shards in a file of the process, so that what was counted outlives any death of the process.
#pragma once

#include <mpiprof/run/process_file.hpp>
#include <mpiprof/run/process_head.hpp>
#include <mpiprof/run/shard_layout.hpp>
#include <mpiprof/sinks/shard_memory.hpp>

#include <cerrno>
#include <mutex>
#include <new>
#include <string>

namespace mpiprof::inline v1 {

/// Memory of a sink in a shared mapping of a file. All of it is reserved in the file system beforehand, since
/// writing to a page that finds no room would kill the program.
class shard_file final : public sinks::shard_memory {
  public:
    /// Makes the file `<name>.shards` in the folder. Returns what went wrong, 0 if nothing.
    int open(std::string const& folder, std::string const& name) {
        if (int const error = file_.open(folder, name, ".shards"); error != 0) return error;
        auto* const memory = map(0, head_size);
        if (memory == nullptr) {
            int const error = errno;
            remove();
            return error;
        }
        head_ = ::new (memory) shard_file_head;
        head_->head_size = head_size;
        detail::describe_process(*head_);
        return 0;
    }

    shard_file_head& head() noexcept { return *head_; }
    std::string const& path() const noexcept { return file_.path(); }

    void* allocate(std::size_t size) noexcept override {
        std::lock_guard const lock{mutex_};
        auto const whole = whole_pages(size);
        auto const number = head_->shards.load(std::memory_order_relaxed);
        if (!file_.owned()) return nullptr;
        if (number > 0 && head_->shard_size.load(std::memory_order_relaxed) != whole) return nullptr;
        auto* const memory = map(head_size + number * whole, whole);
        if (memory == nullptr) return nullptr;
        head_->shard_size.store(whole, std::memory_order_relaxed);
        head_->shards.store(number + 1, std::memory_order_release);
        return memory;
    }

    /// Takes the file's name away; what is mapped stays. Not in a child of the process that made it.
    void remove() noexcept {
        std::lock_guard const lock{mutex_};
        file_.remove();
    }

  private:
    // A multiple of the page size of every machine.
    static constexpr std::size_t page = 65536;
    static constexpr std::size_t head_size = (sizeof(shard_file_head) + page - 1) / page * page;

    static std::size_t whole_pages(std::size_t size) noexcept { return (size + page - 1) / page * page; }

    void* map(std::size_t offset, std::size_t size) noexcept {
        return file_.reserve(offset, size) ? file_.map(offset, size) : nullptr;
    }

    std::mutex mutex_;
    process_file file_;
    shard_file_head* head_ = nullptr;
};

}  // namespace mpiprof::inline v1
