// A communicator without MPI: one rank, which talks to itself. It stands for a foreign library's type:
// neither it nor mpiprof knows the other but by the specialised traits.
#pragma once

#include <mpiprof/core/communicator.hpp>

#include <algorithm>
#include <cstring>
#include <deque>
#include <memory>
#include <stdexcept>
#include <vector>

namespace loopback {

struct message {
    int tag;
    std::vector<char> bytes;
};

/// Messages to rank 0 from rank 0, in order.
class communicator {
  public:
    void push(int tag, void const* data, std::size_t bytes) const {
        auto const* const first = static_cast<char const*>(data);
        messages_.push_back({tag, {first, first + bytes}});
    }

    bool pop(int tag, void* data, std::size_t capacity) const {
        auto const found = std::find_if(messages_.begin(), messages_.end(), [&](message const& each) {
            return tag == mpiprof::any_tag || each.tag == tag;
        });
        if (found == messages_.end()) return false;
        if (found->bytes.size() > capacity) throw std::length_error("the message is longer than the buffer");
        std::copy(found->bytes.begin(), found->bytes.end(), static_cast<char*>(data));
        messages_.erase(found);
        return true;
    }

  private:
    mutable std::deque<message> messages_;
};

/// A receive that waits for its message.
struct receive {
    communicator const* comm;
    int tag;
    void* data;
    std::size_t capacity;
};

/// None for a send, which is complete at once.
using request = std::unique_ptr<receive>;

}  // namespace loopback

template <>
struct mpiprof::communicator_traits<loopback::communicator> {
    using request = loopback::request;

    static int rank(loopback::communicator const&) { return 0; }
    static int size(loopback::communicator const&) { return 1; }
    static communicator_id identity(loopback::communicator const&) { return self_communicator; }

    template <class Value>
    static void send(loopback::communicator const& comm, int peer, int tag, Value const* first, std::size_t n,
                     call_site) {
        if (peer != null_process) comm.push(tag, first, n * sizeof(Value));
    }
    template <class Value>
    static void recv(loopback::communicator const& comm, int peer, int tag, Value* first, std::size_t n,
                     call_site) {
        if (peer == null_process) return;
        if (!comm.pop(tag, first, n * sizeof(Value)))
            throw std::logic_error("a receive that nothing will ever match");
    }
    template <class Value>
    static request isend(loopback::communicator const& comm, int peer, int tag, Value const* first,
                         std::size_t n, call_site site) {
        send(comm, peer, tag, first, n, site);
        return {};
    }
    template <class Value>
    static request irecv(loopback::communicator const& comm, int peer, int tag, Value* first, std::size_t n,
                         call_site) {
        if (peer == null_process) return {};
        return request{new loopback::receive{&comm, tag, first, n * sizeof(Value)}};
    }
    static void wait_all(loopback::communicator const&, request* first, std::size_t n, call_site) {
        for (std::size_t i = 0; i < n; ++i) {
            if (first[i] == nullptr) continue;
            auto const& [comm, tag, data, capacity] = *first[i];
            if (!comm->pop(tag, data, capacity))
                throw std::logic_error("a receive that nothing will ever match");
            first[i] = nullptr;
        }
    }
    static void barrier(loopback::communicator const&, call_site) {}
    template <class Value>
    static void bcast(loopback::communicator const&, Value*, std::size_t, int, call_site) {}
    template <class Value, class Operator>
    static void reduce(loopback::communicator const&, Value const* in, Value* out, std::size_t n, Operator,
                       int, call_site) {
        std::copy(in, in + n, out);
    }
    template <class Value, class Operator>
    static void allreduce(loopback::communicator const&, Value const* in, Value* out, std::size_t n, Operator,
                          call_site) {
        std::copy(in, in + n, out);
    }
};
