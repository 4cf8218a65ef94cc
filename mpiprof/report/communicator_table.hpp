// Where the time went by communicator.
#pragma once

#include <mpiprof/report/call_table.hpp>
#include <mpiprof/report/communicator_names.hpp>
#include <mpiprof/results/merge.hpp>

#include <string>

namespace mpiprof::inline v1::report {

namespace detail {

/// What was done on each communicator: of these rows only `communicator` and `statistics` are filled in.
[[gnu::cold]] inline results::rows<results::call_row> sums_by_communicator(results::profile const& run) {
    results::rows<results::call_row> sums;
    for (auto const& row : run.calls) {
        auto& sum = sums.append();
        sum.communicator = row.communicator;
        sum.statistics = row.statistics;
    }
    for (auto const& row : run.completions) {
        auto& sum = sums.append();
        sum.communicator = row.communicator;
        sum.statistics.sent = -row.taken_back;
        sum.statistics.received = row.received;
        sum.statistics.read = row.read;
        sum.statistics.unknown = row.unknown;
    }
    results::combine(sums);
    return sums;
}

}  // namespace detail

/// The communicators that calls were made on, those with the most time in them; "-" are the calls on none, or
/// on several at once.
class communicator_table {
  public:
    explicit communicator_table(results::profile const& run)
        : names_{run},
          bytes_{run},
          text_{7 + bytes_.number()},
          run_time_{static_cast<double>(run.run_time.sum)} {
        for (auto const* const head : {"communicator", "size", "parent", "guessed", "calls", "time", "run %"})
            text_.add(head);
        bytes_.add_heads(text_);
        auto const sums = detail::sums_by_communicator(run);
        results::call_row rest;
        std::size_t shown = 0;
        for (auto* const each : sums.sorted(&detail::by_time<results::call_row>)) {
            auto const& sum = *static_cast<results::call_row const*>(each);
            if (++shown <= most_rows) add(sum);
            else merge(rest, sum);
        }
        if (shown > most_rows) {
            add_cells(std::to_string(shown - most_rows) + " more", nullptr, rest.statistics);
        }
    }

    std::string text() const { return text_.text(); }

  private:
    static constexpr std::size_t most_rows = 30;

    [[gnu::cold]] void add(results::call_row const& sum) {
        add_cells(names_.name(sum.communicator), names_.find(sum.communicator), sum.statistics);
    }

    [[gnu::cold]] void add_cells(std::string name, results::communicator_row const* known,
                                 results::statistics const& statistics) {
        text_.add(std::move(name));
        text_.add(known != nullptr && known->size >= 0 ? std::to_string(known->size) : "-");
        text_.add(known != nullptr ? names_.name(known->parent) : "-");
        text_.add(known == nullptr ? "-" : known->guessed ? "yes" : "no");
        text_.add(std::to_string(statistics.calls));
        text_.add(duration(statistics.time.sum));
        text_.add(percentage(static_cast<double>(statistics.time.sum), run_time_));
        bytes_.add(text_, statistics);
    }

    communicator_names names_;
    byte_columns bytes_;
    table text_;
    double run_time_;
};

}  // namespace mpiprof::inline v1::report
