// Names in fixed memory, which outlive the memory that they came from.
#pragma once

#include <mpiprof/core/config.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace mpiprof::inline v1::sinks {

/// Keeps each text once, by its place. One writer; others may read the places that they were given.
template <std::size_t Size>
class text_area {
  public:
    static constexpr std::uint32_t no_room = UINT32_MAX;

    /// The place of a text, kept if need be; `no_room` if it does not fit.
    std::uint32_t keep(char const* text) noexcept {
        for (std::size_t place = 0; place < used_; place += std::strlen(text_ + place) + 1) {
            if (std::strcmp(text_ + place, text) == 0) return static_cast<std::uint32_t>(place);
        }
        auto const size = std::strlen(text) + 1;
        if (size > Size - used_) return no_room;
        auto const place = used_;
        std::memcpy(text_ + place, text, size);
        used_ += size;
        return static_cast<std::uint32_t>(place);
    }

    /// Forgets all texts. Who was given a place may find another text there, which ends all the same.
    void clear() noexcept {
        std::memset(text_, 0, used_);
        used_ = 0;
    }

    /// The texts, each ended by a 0, as the last byte is.
    char const* data() const noexcept { return text_; }
    static constexpr std::size_t capacity = Size;

  private:
    alignas(8) char text_[Size] = {};
    std::size_t used_ = 0;
};

}  // namespace mpiprof::inline v1::sinks
