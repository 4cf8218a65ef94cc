// Three messages round the ring, by requests of every kind.
#pragma once

#include "tests/boost_mpi/same_as_boost.hpp"

#include <boost/serialization/string.hpp>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace boost_mpi_tests {

inline constexpr int number_tag = 1;
inline constexpr int text_tag = 2;
inline constexpr int vector_tag = 3;

/// Three receives, of a fixed size, of a serialised value and of a vector, and the sends to the next rank.
struct exchange {
    int number = 5;
    std::string text = "abc";
    std::vector<int> vector = {1, 2, 3};
    int number_arrived = 0;
    std::string text_arrived = {};
    std::vector<int> vector_arrived = {};

    /// Passes the six requests to `put`, the receives first.
    void start(auto const& world, auto put) {
        put(world.irecv(previous_rank(), number_tag, number_arrived));
        put(world.irecv(previous_rank(), text_tag, text_arrived));
        put(world.irecv(previous_rank(), vector_tag, vector_arrived));
        put(world.isend(next_rank(), number_tag, number));
        put(world.isend(next_rank(), text_tag, text));
        put(world.isend(next_rank(), vector_tag, vector));
    }

    bool has_arrived() const {
        return number_arrived == number && text_arrived == text && vector_arrived == vector;
    }
};

/// Requests of one communicator.
template <class Comm>
using requests_of = std::vector<decltype(std::declval<Comm const&>().isend(0, 0))>;

/// The six completions of an exchange, in the order of the requests.
inline std::vector<completion> exchange_completions() {
    int const to = next_rank();
    int const from = previous_rank();
    return {{"irecv", from, number_tag, datatype_nbytes<int>()},
            {"irecv", from, text_tag, archive_nbytes(std::string{"abc"})},
            {"irecv", from, vector_tag, 3 * datatype_nbytes<int>()},
            {"isend", to, number_tag},
            {"isend", to, text_tag},
            {"isend", to, vector_tag}};
}

/// The calls of an exchange, and those that complete it.
inline std::vector<record> exchange_calls(std::vector<record> const& completing) {
    int const to = next_rank();
    int const from = previous_rank();
    std::vector<record> calls{
        {.operation = "irecv", .peer = from, .tag = number_tag, .capacity = datatype_nbytes<int>()},
        {.operation = "irecv", .peer = from, .tag = text_tag},
        {.operation = "irecv", .peer = from, .tag = vector_tag},
        {.operation = "isend", .peer = to, .tag = number_tag, .sent = datatype_nbytes<int>()},
        {.operation = "isend", .peer = to, .tag = text_tag, .sent = archive_nbytes(std::string{"abc"})},
        {.operation = "isend", .peer = to, .tag = vector_tag, .sent = 3 * datatype_nbytes<int>()}};
    calls.insert(calls.end(), completing.begin(), completing.end());
    return calls;
}

inline record completing(std::string const& operation, completion const& done) {
    return {.operation = operation, .request = done.operation, .peer = done.peer, .tag = done.tag};
}

/// The requests of an exchange in `Container`.
template <template <class...> class Container>
struct in_container {
    template <class Comm>
    auto operator()(Comm const& world, exchange& both) const {
        Container<typename requests_of<Comm>::value_type> requests;
        both.start(world, [&](auto const& made) { requests.push_back(made); });
        return requests;
    }
};

/// An iterator of the user's over every `Step`-th request.
template <int Step, class Request>
class strided {
  public:
    using iterator_category = std::bidirectional_iterator_tag;
    using value_type = Request;
    using difference_type = std::ptrdiff_t;
    using pointer = Request*;
    using reference = Request&;

    strided() = default;
    explicit strided(Request* at) : at_{at} {}

    Request& operator*() const { return *at_; }
    Request* operator->() const { return at_; }
    strided& operator++() {
        at_ += Step;
        return *this;
    }
    strided operator++(int) {
        auto const before = *this;
        ++*this;
        return before;
    }
    strided& operator--() {
        at_ -= Step;
        return *this;
    }
    strided operator--(int) {
        auto const before = *this;
        --*this;
        return before;
    }
    bool operator==(strided const&) const = default;

  private:
    Request* at_ = nullptr;
};

}  // namespace boost_mpi_tests
