// The Trace Event Format, as an object:
// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
#include <mpiprof/exports/chrome_metadata.hpp>
#include <mpiprof/exports/chrome_slices.hpp>
#include <mpiprof/exports/replace_file.hpp>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <queue>

namespace mpiprof::inline v1::exports {

namespace {

/// The bytes that one rank has sent and nobody has received yet, as Chrome's counter.
class bytes_in_flight {
  public:
    bytes_in_flight(std::int64_t rank, json_list& events) : rank_{rank}, events_{events} {}

    /// Sends come in the order of their times.
    void send(std::int64_t time, std::int64_t bytes, std::int64_t received) {
        receive_until(time);
        change(time, bytes);
        arrivals_.emplace(std::max(time, received), bytes);
    }

    void finish() {
        receive_until(std::numeric_limits<std::int64_t>::max());
        add();
    }

  private:
    void receive_until(std::int64_t time) {
        for (; !arrivals_.empty() && arrivals_.top().first <= time; arrivals_.pop())
            change(arrivals_.top().first, -arrivals_.top().second);
    }

    void change(std::int64_t time, std::int64_t by) {
        if (time != time_) add();
        time_ = time;
        bytes_ += by;
    }

    /// What there is from `time_` on.
    void add() {
        if (time_ < 0) return;
        event_.start();
        event_.word("ph", "C");
        event_.word("name", "bytes in flight");
        event_.number("pid", rank_);
        event_.microseconds("ts", time_);
        event_.enter("args");
        event_.number("bytes", bytes_);
        event_.leave();
        events_.add_json(event_.finish());
    }

    using arrival = std::pair<std::int64_t, std::int64_t>;

    std::int64_t rank_;
    json_list& events_;
    json_fields event_;
    /// Of the last change; -1 before the first one.
    std::int64_t time_ = -1;
    std::int64_t bytes_ = 0;
    std::priority_queue<arrival, std::vector<arrival>, std::greater<>> arrivals_;
};

void add_bytes_in_flight(event_links const& links, json_list& events) {
    std::map<std::int64_t, bytes_in_flight> ranks;
    for (auto const& each : links.messages()) {
        auto const& [sent, received] = each;
        if (!each.is_whole() || sent.bytes <= 0) continue;
        auto& rank = ranks.try_emplace(sent.rank, sent.rank, events).first->second;
        rank.send(sent.time, sent.bytes, received.time);
    }
    for (auto& [number, rank] : ranks) rank.finish();
}

void write_chrome(run const& from, std::string const& path) {
    auto const& trace = *from.trace;
    event_links const links{trace};
    replace_text_file(path, [&](std::ostream& out) {
        out << "{\"traceEvents\":[";
        json_list events{out};
        add_names(trace, events);
        chrome_slices slices{from, links, events};
        for (std::size_t rank = 0; rank < trace.ranks().size(); ++rank) {
            for (std::size_t thread = 0; thread < trace.ranks()[rank].threads.size(); ++thread)
                slices.add(rank, thread);
        }
        add_bytes_in_flight(links, events);
        out << "\n],\"displayTimeUnit\":\"ns\",\"otherData\":";
        write_json(out, chrome_metadata(trace));
        out << "}\n";
    });
}

}  // namespace

format const chrome{
    "chrome", "Chrome's JSON for Perfetto (ui.perfetto.dev) and chrome://tracing", needs::trace, write_chrome,
    true,
};

}  // namespace mpiprof::inline v1::exports
