// The calls and phases of a thread as Chrome's slices, and its messages as arrows.
#pragma once

#include <mpiprof/exports/event_links.hpp>
#include <mpiprof/exports/format.hpp>
#include <mpiprof/exports/json_list.hpp>
#include <mpiprof/traces/nesting.hpp>

namespace mpiprof::inline v1::exports {

/// Adds the events of one thread.
class chrome_slices {
  public:
    chrome_slices(run const& from, event_links const& links, json_list& events)
        : from_{from},
          links_{links},
          events_{events} {}

    /// Of the thread at these places in the trace.
    void add(std::size_t rank, std::size_t thread);

  private:
    json_object event(char const* type, std::string name, std::int64_t time) const;
    void add_phase(traces::region const& phase);
    void add_call(traces::region const& call);
    json_object arguments(traces::event const& what) const;
    void add_links(traces::event_id const& id, json_object& arguments) const;
    void add_arrows(traces::event const& what, std::int64_t begin, std::int64_t end);

    run const& from_;
    event_links const& links_;
    json_list& events_;
    std::size_t rank_ = 0;
    std::size_t thread_ = 0;
};

}  // namespace mpiprof::inline v1::exports
