// A table of calls: how many, how long, how many bytes.
#pragma once

#include <mpiprof/report/format.hpp>
#include <mpiprof/report/table.hpp>
#include <mpiprof/results/profile.hpp>

#include <initializer_list>
#include <string>

namespace mpiprof::inline v1::report {

namespace detail {

/// The order of a table: by time, the largest first.
template <class Row>
int by_time(void const* a, void const* b) noexcept {
    auto const time = static_cast<Row const*>(a)->statistics.time.sum;
    auto const other = static_cast<Row const*>(b)->statistics.time.sum;
    return time > other ? -1 : time < other ? 1 : 0;
}

/// Did the run write to files, or read from them?
[[gnu::cold]] inline bool has_files(results::profile const& run) {
    auto bytes = run.overflow.written + run.overflow.read;
    for (auto const& row : run.operations) bytes += row.statistics.written + row.statistics.read;
    return bytes > 0;
}

}  // namespace detail

/// The columns of byte counts, which all tables of calls end with; those of files only where there are any.
class byte_columns {
  public:
    explicit byte_columns(results::profile const& run) : files_{detail::has_files(run)} {}

    std::size_t number() const noexcept { return files_ ? 4 : 2; }

    [[gnu::cold]] void add_heads(table& to) const {
        to.add("sent B");
        to.add("received B");
        if (!files_) return;
        to.add("written B");
        to.add("read B");
    }

    [[gnu::cold]] void add(table& to, results::statistics const& statistics) const {
        add_one(to, statistics.sent, statistics);
        add_one(to, statistics.received, statistics);
        if (!files_) return;
        add_one(to, statistics.written, statistics);
        add_one(to, statistics.read, statistics);
    }

  private:
    /// Marks a count that leaves something unknown out.
    [[gnu::cold]] static void add_one(table& to, std::int64_t value, results::statistics const& statistics) {
        auto text = std::to_string(value);
        if (statistics.unknown > 0) text += '?';
        to.add(std::move(text));
    }

    bool files_;
};

/// A table whose rows are kinds of calls; `head` is that of its first column.
class call_table {
  public:
    [[gnu::cold]] call_table(char const* head, results::profile const& run)
        : bytes_{run},
          text_{9 + bytes_.number()},
          run_time_{static_cast<double>(run.run_time.sum)} {
        for (auto const* const each :
             {head, "calls", "time", "run %", "min", "mean", "max", "imb %", "rank"}) {
            text_.add(each);
        }
        bytes_.add_heads(text_);
    }

    [[gnu::cold]] void add(std::string name, results::statistics const& statistics) {
        text_.add(std::move(name));
        text_.add(std::to_string(statistics.calls));
        text_.add(duration(statistics.time.sum));
        text_.add(percentage(static_cast<double>(statistics.time.sum), run_time_));
        text_.add(duration(statistics.time.least));
        text_.add(duration(statistics.mean_time()));
        text_.add(duration(statistics.time.most));
        text_.add(percentage(statistics.rank_time.imbalance(), 1));
        text_.add(statistics.rank_time.ranks > 0 ? std::to_string(statistics.rank_time.rank_of_most) : "-");
        bytes_.add(text_, statistics);
    }

    std::string text() const { return text_.text(); }

  private:
    byte_columns bytes_;
    table text_;
    double run_time_;
};

}  // namespace mpiprof::inline v1::report
