// How collectives are given values: by a pointer and a number, or in a vector.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <cstdint>
#include <type_traits>
#include <vector>

namespace mpiprof::inline v1::boost_mpi::detail {

/// `n` values from `first` on. It is asked for them as a vector is.
template <class T>
class array {
  public:
    using value_type = std::remove_cv_t<T>;

    [[gnu::always_inline]] array(T* first, int n) : first_{first}, n_{n} {}

    [[gnu::always_inline]] T* data() const { return first_; }
    [[gnu::always_inline]] int size() const { return n_; }

  private:
    T* first_;
    int n_;
};

/// The first value.
template <class T>
T* first_of(T* first) {
    return first;
}
template <class Values>
auto first_of(Values const& values) {
    return values.data();
}

/// Are there `n` values? A pointer does not tell, so there may be.
template <class T>
bool has_size(T*, std::int64_t) {
    return true;
}
template <class Values>
bool has_size(Values const& values, std::int64_t n) {
    return static_cast<std::int64_t>(values.size()) == n;
}

/// Room for `n` values: what is behind the pointer, or the vector, which gets that size.
template <class T>
T* room_for(T* out, std::int64_t) {
    return out;
}
template <class T>
T* room_for(std::vector<T>& out, std::int64_t n) {
    out.resize(static_cast<std::size_t>(n));
    return out.data();
}

}  // namespace mpiprof::inline v1::boost_mpi::detail
