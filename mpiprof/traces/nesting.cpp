#include <mpiprof/traces/nesting.hpp>

#include <algorithm>
#include <cstring>
#include <deque>
#include <limits>
#include <vector>

namespace mpiprof::inline v1::traces {

namespace {

/// A call that others were made in: recorded after them, it began before them. There are few: a callback of
/// the program's has to call MPI, or to enter a phase.
struct outer_call {
    event what;
    std::int64_t begin;
};

bool is_call(event const& each) noexcept {
    return each.type == event_type::call || each.type == event_type::repeated;
}

/// Finds the calls that others were made in.
class outer_finder {
  public:
    void take(event const& each) {
        if (is_call(each)) return take_call(each);
        if (each.type == event_type::phase_begin) {
            open_.push_back({each.phase, each.begin});
            last_ = {each.begin, each.begin};
        } else if (each.type == event_type::phase_end) {
            end_phase(each);
        }
    }

    /// In the order in which they are entered.
    std::vector<outer_call> take_found() {
        std::sort(found_.begin(), found_.end(), [](outer_call const& a, outer_call const& b) {
            return a.begin != b.begin ? a.begin < b.begin : a.what.id.number > b.what.id.number;
        });
        return std::move(found_);
    }

  private:
    struct span {
        std::int64_t begin = std::numeric_limits<std::int64_t>::min();
        std::int64_t end = std::numeric_limits<std::int64_t>::min();
    };
    struct open_phase {
        char const* name;
        std::int64_t begin;
    };

    void take_call(event const& each) {
        // It cannot have begun before a phase that has not ended.
        auto const begin = open_.empty() ? each.begin : std::max(each.begin, open_.back().begin);
        if (begin < last_.end && begin <= last_.begin) found_.push_back({each, begin});
        last_ = {begin, each.end};
    }

    void end_phase(event const& each) {
        auto const found = std::find_if(open_.rbegin(), open_.rend(), [&](open_phase const& one) {
            return std::strcmp(one.name, each.phase) == 0;
        });
        if (found == open_.rend()) return;
        last_ = {found->begin, each.end};
        open_.erase(std::next(found).base(), open_.end());
    }

    std::vector<open_phase> open_;
    /// Of the region that ended last, or of the begin of the phase that nothing ended in yet.
    span last_;
    std::vector<outer_call> found_;
};

/// Enters and leaves the regions of a thread.
class nesting_walk {
  public:
    using region_visitor = std::function<void(region const&)>;
    using event_visitor = std::function<void(event const&)>;

    /// `ends` are those of the regions that others lie in, in the order of their begins; where none are known
    /// yet they are found.
    nesting_walk(std::vector<outer_call> const& outer, std::vector<std::int64_t>& ends,
                 region_visitor const& enter, region_visitor const& leave, event_visitor const& observe)
        : outer_{outer},
          ends_{ends},
          known_{!ends.empty()},
          enter_{enter},
          leave_{leave},
          observe_{observe} {}

    void take(event const& each) {
        switch (each.type) {
        case event_type::completion:
            if (observe_) completed_.push_back(each);
            break;
        case event_type::phase_begin:
            observe_completed();
            enter_outer(each);
            open(each, each.begin);
            break;
        case event_type::phase_end:
            observe_completed();
            end_phase(each);
            break;
        default:
            take_call(each);
            break;
        }
    }

    void finish() {
        observe_completed();
        close_to(0);
    }

  private:
    struct open_region {
        event what;
        std::int64_t begin;
        /// In `ends_`.
        std::size_t number;
    };

    void take_call(event const& each) {
        // Others were observed by a call that is not there.
        auto const its = std::find_if(completed_.begin(), completed_.end(),
                                      [&](event const& done) { return done.end == each.end; });
        observe_until(its);
        auto const is_this = [&](open_region const& one) {
            return is_call(one.what) && one.what.id.number == each.id.number;
        };
        auto const found = std::find_if(open_.begin(), open_.end(), is_this);
        if (found != open_.end()) {
            close_to(static_cast<std::size_t>(found - open_.begin()) + 1);
            observe_completed();
            now_ = std::max(now_, each.end);
            return close();
        }
        enter_outer(each);
        auto const begin = std::max(each.begin, now_);
        now_ = std::max(each.end, begin);
        region const whole{each, begin, now_};
        if (enter_) enter_(whole);
        observe_completed();
        if (leave_) leave_(whole);
    }

    void end_phase(event const& each) {
        auto const found = std::find_if(open_.rbegin(), open_.rend(), [&](open_region const& one) {
            return !is_call(one.what) && std::strcmp(one.what.phase, each.phase) == 0;
        });
        if (found == open_.rend()) return;
        now_ = std::max(now_, each.end);
        close_to(static_cast<std::size_t>(open_.rend() - found));
        close();
    }

    /// Enters the calls that this one lies in.
    void enter_outer(event const& each) {
        for (; next_ < outer_.size() && outer_[next_].begin <= each.begin; ++next_)
            if (outer_[next_].what.id.number > each.id.number) open(outer_[next_].what, outer_[next_].begin);
    }

    void open(event const& what, std::int64_t begin) {
        now_ = std::max(now_, begin);
        auto const number = opened_++;
        if (!known_) ends_.push_back(now_);
        open_.push_back({what, now_, number});
        if (enter_) enter_({open_.back().what, now_, ends_[number]});
    }

    void close() {
        auto const& last = open_.back();
        ends_[last.number] = now_;
        if (leave_) leave_({last.what, last.begin, now_});
        open_.pop_back();
    }

    void close_to(std::size_t size) {
        while (open_.size() > size) close();
    }

    void observe_until(std::vector<event>::iterator end) {
        std::for_each(completed_.begin(), end, observe_);
        completed_.erase(completed_.begin(), end);
    }
    void observe_completed() { observe_until(completed_.end()); }

    std::vector<outer_call> const& outer_;
    std::vector<std::int64_t>& ends_;
    bool known_;
    region_visitor const& enter_;
    region_visitor const& leave_;
    event_visitor const& observe_;
    std::deque<open_region> open_;
    std::vector<event> completed_;
    std::int64_t now_ = 0;
    std::size_t next_ = 0;
    std::size_t opened_ = 0;
};

}  // namespace

void for_each_nested(trace const& from, std::size_t rank, std::size_t thread,
                     std::function<void(region const&)> const& enter,
                     std::function<void(region const&)> const& leave,
                     std::function<void(event const&)> const& observe) {
    outer_finder finder;
    bool has_phases = false;
    from.for_each(rank, thread, [&](event const& each) {
        has_phases = has_phases || each.type == event_type::phase_begin;
        finder.take(each);
    });
    auto const outer = finder.take_found();

    std::vector<std::int64_t> ends;
    auto const walk = [&](auto const& on_enter, auto const& on_leave, auto const& on_observe) {
        nesting_walk steps{outer, ends, on_enter, on_leave, on_observe};
        from.for_each(rank, thread, [&](event const& each) { steps.take(each); });
        steps.finish();
    };
    // When a region is entered, its end is to be known.
    if (has_phases || !outer.empty()) {
        std::function<void(region const&)> const nobody;
        walk(nobody, nobody, std::function<void(event const&)>{});
    }
    walk(enter, leave, observe);
}

}  // namespace mpiprof::inline v1::traces
