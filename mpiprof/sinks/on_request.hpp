// A sink that a run must ask for.
#pragma once

#include <mpiprof/core/concepts.hpp>

namespace mpiprof::inline v1::sinks {

/// The sink, which in a fanout gets nothing unless the settings name it: MPIPROF=sinks=summary+trace.
template <sink Sink>
class on_request : public Sink {
  public:
    static constexpr bool only_on_request = true;

    using Sink::Sink;
};

}  // namespace mpiprof::inline v1::sinks
