// A temporary array that needs no heap while it is small.
#pragma once

#include <mpiprof/core/config.hpp>

#include <cstddef>
#include <new>
#include <type_traits>

namespace mpiprof::inline v1::raw::detail {

/// `size` uninitialised values, on the stack up to `Inline` of them. `data()` is nullptr where there was no
/// memory.
template <class Value, std::size_t Inline = 32>
class small_buffer {
  public:
    explicit small_buffer(std::size_t size) noexcept
        : heap_{size > Inline ? new(std::nothrow) Value[size] : nullptr},
          data_{size > Inline ? heap_ : inline_} {
        if (size > Inline) return;
        for (std::size_t place = 0; place < size; ++place) ::new (inline_ + place) Value;
    }

    ~small_buffer() { delete[] heap_; }

    small_buffer(small_buffer const&) = delete;
    small_buffer& operator=(small_buffer const&) = delete;

    Value* data() noexcept { return data_; }
    Value& operator[](std::size_t place) noexcept { return data_[place]; }

  private:
    static_assert(std::is_trivially_destructible_v<Value>);

    // Only those that are used are made.
    union {
        Value inline_[Inline];
    };
    Value* heap_;
    Value* data_;
};

}  // namespace mpiprof::inline v1::raw::detail
