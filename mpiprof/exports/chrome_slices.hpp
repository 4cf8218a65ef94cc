// The calls and phases of a thread as Chrome's slices, and its messages as arrows.
#pragma once

#include <mpiprof/exports/event_links.hpp>
#include <mpiprof/exports/event_texts.hpp>
#include <mpiprof/exports/json_fields.hpp>
#include <mpiprof/exports/json_list.hpp>
#include <mpiprof/traces/nesting.hpp>

namespace mpiprof::inline v1::exports {

/// Adds the events of threads.
class chrome_slices {
  public:
    chrome_slices(run const& from, event_links const& links, json_list& events)
        : from_{from},
          links_{links},
          events_{events},
          texts_{from, json_text} {}

    /// Of the thread at these places in the trace.
    void add(std::size_t rank, std::size_t thread);

  private:
    /// Of a slice.
    struct span {
        std::int64_t begin;
        std::int64_t end;
    };

    void start(char const* type, std::int64_t time);
    void add_phase(traces::region const& phase);
    void add_call(traces::region const& call);
    void add_arguments(traces::event const& what);
    void add_links(traces::event_id const& id);
    void add_arrow(event_links::part const& part, span const& inside);
    /// The call that started a request; else the slice that observed its completion.
    span const& started_in(traces::event const& done, span const& observed_in) const;
    /// Of a number that applies, and of text that there is.
    void put(char const* name, std::int64_t value);
    void put(char const* name, std::string const& json);

    run const& from_;
    event_links const& links_;
    json_list& events_;
    event_texts texts_;
    json_fields event_;
    std::size_t rank_ = 0;
    std::size_t thread_ = 0;
    /// The thread's calls so far that start several requests, whose sends are not their own.
    std::vector<span> starts_;
};

}  // namespace mpiprof::inline v1::exports
