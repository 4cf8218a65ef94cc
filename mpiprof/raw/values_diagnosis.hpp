// Why a typed call does not take its argument, told by the compiler in one line.
#pragma once

#include <mpiprof/raw/values.hpp>

namespace mpiprof::inline v1::raw::detail {

/// Smart pointers too, known by their form.
template <class T>
concept pointer_like = std::is_pointer_v<T> || std::is_member_pointer_v<T> || std::is_null_pointer_v<T> ||
                       requires(T const& value) {
                           typename T::element_type;
                           value.get();
                           value.operator->();
                       };

/// std::optional, known by its form.
template <class T>
concept optional_like = requires(T const& value) {
    value.has_value();
    value.operator->();
};

/// std::vector<bool> and the like give their elements as objects made on the way.
template <class Range>
concept without_elements_in_memory = !std::is_reference_v<std::ranges::range_reference_t<Range>>;

/// Refuses T, a value that MPI has no datatype for.
template <class T>
constexpr void refuse_value() {
    static_assert(!pointer_like<T>,
                  "mpiprof: a pointer means nothing to another process: pass what it points to, with its "
                  "length: std::span{pointer, n}");
    static_assert(
        !optional_like<T>,
        "mpiprof: MPI has no datatype for std::optional: pass whether there is a value, and the value");
    static_assert(
        !std::ranges::range<T>,
        "mpiprof: the elements are ranges that are not in one piece of memory with their neighbours "
        "(such as std::string): pass them one by one");
    static_assert(
        pointer_like<T> || optional_like<T> || std::ranges::range<T>,
        "mpiprof: MPI has no datatype for this type: make one (MPI_Type_create_struct) and use MPI's "
        "own form of the call, with buffer, count and datatype");
}

/// Refuses Range, whose elements are not where MPI could find them.
template <class Range>
constexpr void refuse_range() {
    static_assert(!without_elements_in_memory<Range>,
                  "mpiprof: this range has no elements in memory (std::vector<bool> keeps bits): use a "
                  "std::vector<char>");
    static_assert(without_elements_in_memory<Range>,
                  "mpiprof: the elements of this range are not in one piece of memory (as in std::list and "
                  "std::deque): copy them to a std::vector");
}

/// Refuses what is no mpi_values: exactly one of the lines above.
template <class T>
constexpr void refuse() {
    using part = typename parts_of<T>::type;
    if constexpr (!std::ranges::range<T> || !std::is_same_v<part, std::remove_cv_t<T>>) refuse_value<part>();
    else if constexpr (!std::ranges::contiguous_range<T> || !std::ranges::sized_range<T>) refuse_range<T>();
    else refuse_value<typename parts_of<std::ranges::range_value_t<T>>::type>();
}

}  // namespace mpiprof::inline v1::raw::detail
