#include <mpiprof/exports/otf2_requests.hpp>

#include <mpiprof/exports/otf2_operations.hpp>

#include <algorithm>
#include <tuple>

namespace mpiprof::inline v1::exports {

namespace {

/// A call that posts a request, or several.
struct posting_call {
    std::int64_t begin;
    traces::event_id call;
    communicator_id communicator;
    operation what;
    bool completed = false;
};

/// A completion that waits for the call that posted its request.
struct waiting {
    std::int64_t posted;
    std::int64_t observed;
    traces::event_id completion;
    communicator_id communicator;
    operation what;
};

/// Does a request that this operation made stay when it completes, to be started again?
bool is_persistent(operation value) noexcept {
    return value == operation::barrier_init || message_side_of(operation::start, value) != message_side::none;
}

/// Does its completion matter here?
bool is_wanted(completion const& done) noexcept {
    switch (done.operation) {
    case operation::sendrecv:
    case operation::sendrecv_replace:
        return false;
    case operation::isendrecv:
    case operation::isendrecv_replace:
        return true;
    default:
        break;
    }
    if (kind_of(done.operation) == kind::point_to_point) return done.peer != null_process;
    return otf2_collective_of(done.operation).has_value();
}

/// The call that posted the request. A start reads the clock for its requests shortly before it begins.
posting_call* find(std::vector<posting_call>& postings, waiting const& done) {
    bool const persistent = is_persistent(done.what);
    auto const limit = persistent ? done.observed : done.posted;
    posting_call* found = nullptr;
    auto first =
        std::lower_bound(postings.begin(), postings.end(), done.posted,
                         [](posting_call const& each, std::int64_t time) { return each.begin < time; });
    for (; first != postings.end() && first->begin <= limit; ++first) {
        bool const several = persistent && first->what == operation::startall;
        bool const alike = first->what == done.what && first->communicator == done.communicator;
        if (first->completed || !(several || alike)) continue;
        if (first->call.thread == done.completion.thread) return &*first;
        if (found == nullptr) found = &*first;
    }
    return found;
}

/// The start of a request that completed so.
call started_alone(completion const& done) {
    call start;
    start.operation = operation::start;
    start.request = done.operation;
    start.communicator = done.communicator;
    start.peer = done.peer;
    start.tag = done.tag;
    start.sent = done.sent;
    return start;
}

}  // namespace

operation posted_operation(call const& record) noexcept {
    auto const made = record.operation == operation::start ? record.request : record.operation;
    switch (made) {
    case operation::isend:
    case operation::ibsend:
    case operation::issend:
    case operation::irsend:
    case operation::irecv:
    case operation::imrecv:
    case operation::isendrecv:
    case operation::isendrecv_replace:
    case operation::startall:
        return made;
    default:
        break;
    }
    if (is_persistent(made)) return record.operation == operation::start ? made : operation::none;
    auto const collective = otf2_collective_of(made);
    return collective && !collective->blocking ? made : operation::none;
}

// What is collected of a rank's events.
struct otf2_requests::collection {
    std::vector<posting_call> postings;
    std::vector<waiting> completions;
    /// Those of persistent requests: any of them may have been started with others.
    std::map<traces::event_id, completion> persistent;
    std::map<traces::event_id, call> telling;

    void add(traces::event const& each) {
        if (each.type == traces::event_type::completion) add_completion(each);
        if (each.type == traces::event_type::call && (each.call.flags & call_failed) == 0) add_call(each);
    }

    void add_completion(traces::event const& each) {
        if (!is_wanted(each.completion)) return;
        completions.push_back(
            {each.begin, each.end, each.id, each.completion.communicator, each.completion.operation});
        if (is_persistent(each.completion.operation)) persistent.emplace(each.id, each.completion);
    }

    void add_call(traces::event const& each) {
        auto const what = posted_operation(each.call);
        if (what == operation::none) return;
        bool const exchanges = detail::message_of(what) == message_side::exchanged;
        bool const is_collective = kind_of(what) == kind::collective;
        if (is_collective && !otf2_collective_of(what)) return;
        if (!is_collective && !exchanges && each.call.peer == null_process) return;
        if (is_collective || exchanges) telling.emplace(each.id, each.call);
        postings.push_back({each.begin, each.id, each.call.communicator, what});
    }
};

otf2_requests::otf2_requests(traces::trace const& from, std::size_t rank) {
    collection all;
    for (std::size_t thread = 0; thread < from.ranks()[rank].threads.size(); ++thread)
        from.for_each(rank, thread, [&](traces::event const& each) { all.add(each); });
    join(all);
}

void otf2_requests::join(collection& all) {
    auto const add = [&](posting_call const& from, std::uint32_t observer) {
        auto const number = posted_.size();
        posted_.push_back({from.call, number, observer == from.call.thread});
        if (auto const known = all.telling.find(from.call); known != all.telling.end())
            postings_.emplace(number, known->second);
        return number;
    };
    std::sort(all.postings.begin(), all.postings.end(), [](posting_call const& a, posting_call const& b) {
        return std::tie(a.begin, a.call) < std::tie(b.begin, b.call);
    });
    std::sort(all.completions.begin(), all.completions.end(), [](waiting const& a, waiting const& b) {
        return std::tie(a.posted, a.completion) < std::tie(b.posted, b.completion);
    });
    for (auto const& done : all.completions) {
        auto* const from = find(all.postings, done);
        if (from == nullptr) continue;
        auto const number = add(*from, done.completion.thread);
        completed_.push_back({done.completion, number});
        if (from->what == operation::startall)
            postings_.emplace(number, started_alone(all.persistent.at(done.completion)));
        else from->completed = true;
    }
    for (auto const& each : all.postings)
        if (!each.completed && each.what != operation::startall) add(each, each.call.thread);
    std::sort(posted_.begin(), posted_.end(), [](posted_request const& a, posted_request const& b) {
        return std::tie(a.call, a.number) < std::tie(b.call, b.number);
    });
    std::sort(
        completed_.begin(), completed_.end(),
        [](completed_request const& a, completed_request const& b) { return a.completion < b.completion; });
}

std::span<otf2_requests::posted_request const> otf2_requests::posted_by(traces::event_id call) const {
    auto const [first, last] =
        std::equal_range(posted_.begin(), posted_.end(), posted_request{call, 0},
                         [](posted_request const& a, posted_request const& b) { return a.call < b.call; });
    return {first, last};
}

std::optional<std::uint64_t> otf2_requests::completed_by(traces::event_id completion) const {
    auto const found = std::lower_bound(
        completed_.begin(), completed_.end(), completion,
        [](completed_request const& each, traces::event_id const& id) { return each.completion < id; });
    if (found == completed_.end() || found->completion != completion) return std::nullopt;
    return found->number;
}

call const* otf2_requests::posting(std::uint64_t number) const {
    auto const found = postings_.find(number);
    return found == postings_.end() ? nullptr : &found->second;
}

}  // namespace mpiprof::inline v1::exports
