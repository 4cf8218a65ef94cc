// Records handed to a function.
#pragma once

#include <mpiprof/core/concepts.hpp>

#include <utility>

namespace mpiprof::inline v1::sinks {

/// Calls `function(call const&)` for each call and, where it takes them, `function(completion const&)` for
/// each completion, on the thread that made the call. The function must not throw, and must outlive the
/// recording.
template <class Function>
    requires std::invocable<Function&, call const&>
class callback {
  public:
    static constexpr char const* name = "callback";

    constexpr callback()
        requires std::default_initializable<Function>
    = default;
    constexpr explicit callback(Function function) : function_{std::move(function)} {}

    void record(call const& record) noexcept { function_(record); }

    void complete(completion const& record) noexcept
        requires std::invocable<Function&, completion const&>
    {
        function_(record);
    }

  private:
    Function function_;
};

}  // namespace mpiprof::inline v1::sinks
