// Shards in a file of the process, so that what was counted outlives any death of the process.
#pragma once

#include <mpiprof/run/job_key.hpp>
#include <mpiprof/run/shard_layout.hpp>
#include <mpiprof/sinks/shard_memory.hpp>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <new>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

namespace mpiprof::inline v1 {

/// Memory of a sink in a shared mapping of a file. All of it is reserved in the file system beforehand, since
/// writing to a page that finds no room would kill the program.
class shard_file final : public sinks::shard_memory {
  public:
    /// Folders to try: the one that was asked for, or one in the node's memory, and else the temporary one.
    static std::string folder(std::string const& wanted) {
        if (!wanted.empty()) return wanted;
        if (::access("/dev/shm", W_OK | X_OK) == 0) return "/dev/shm";
        char const* const temporary = std::getenv("TMPDIR");
        return temporary != nullptr && *temporary != '\0' ? temporary : "/tmp";
    }

    /// Makes the file `<name>.shards` in the folder, or `<name>.2.shards` if that is there, and so on.
    /// Returns what went wrong, 0 if nothing.
    int open(std::string const& folder, std::string const& name) {
        // The program may change its working directory.
        char* const absolute = ::realpath(folder.c_str(), nullptr);
        path_ = folder + '/' + name + ".shards";
        if (absolute == nullptr) return errno;
        auto const stem = std::string{absolute} + '/' + name;
        std::free(absolute);
        for (int number = 1; number < 1000; ++number) {
            path_ = stem + (number == 1 ? "" : '.' + std::to_string(number)) + ".shards";
            descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
            if (descriptor_ >= 0 || errno != EEXIST) break;
        }
        if (descriptor_ < 0) return errno;
        owner_ = ::getpid();
        auto* const memory = map(0, head_size);
        if (memory == nullptr) {
            int const error = errno;
            remove();
            return error;
        }
        head_ = ::new (memory) shard_file_head;
        std::memcpy(head_->magic, shard_file_head::right_magic, sizeof head_->magic);
        head_->version = shard_file_head::right_version;
        head_->head_size = head_size;
        head_->process = static_cast<std::uint32_t>(owner_);
        head_->process_start = detail::status_of(owner_).start;
        detail::copy_text(head_->job, detail::job_key());
        detail::copy_text(head_->host, detail::host_name());
        detail::copy_text(head_->program, detail::program_name());
        detail::copy_text(head_->command, detail::command_line());
        return 0;
    }

    shard_file_head& head() noexcept { return *head_; }
    std::string const& path() const noexcept { return path_; }

    void* allocate(std::size_t size) noexcept override {
        std::lock_guard const lock{mutex_};
        auto const whole = whole_pages(size);
        auto const number = head_->shards.load(std::memory_order_relaxed);
        if (descriptor_ < 0 || ::getpid() != owner_) return nullptr;
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
        if (descriptor_ < 0 || ::getpid() != owner_) return;
        ::unlink(path_.c_str());
        ::close(descriptor_);
        descriptor_ = -1;
    }

  private:
    // A multiple of the page size of every machine.
    static constexpr std::size_t page = 65536;
    static constexpr std::size_t head_size = (sizeof(shard_file_head) + page - 1) / page * page;

    static std::size_t whole_pages(std::size_t size) noexcept { return (size + page - 1) / page * page; }

    void* map(std::size_t offset, std::size_t size) noexcept {
        auto const place = static_cast<::off_t>(offset);
        // Beyond its limit a process is killed, not told.
        ::rlimit limit{};
        if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && offset + size > limit.rlim_cur) {
            errno = EFBIG;
            return nullptr;
        }
        int error = EINTR;
        while (error == EINTR) error = ::posix_fallocate(descriptor_, place, static_cast<::off_t>(size));
        if (error != 0) {
            errno = error;
            return nullptr;
        }
        auto* const memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, place);
        return memory == MAP_FAILED ? nullptr : memory;
    }

    std::mutex mutex_;
    std::string path_;
    int descriptor_ = -1;
    ::pid_t owner_ = 0;
    shard_file_head* head_ = nullptr;
};

}  // namespace mpiprof::inline v1
