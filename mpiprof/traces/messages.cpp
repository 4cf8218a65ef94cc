#include <mpiprof/traces/messages.hpp>

#include <algorithm>
#include <deque>
#include <map>
#include <tuple>
#include <utility>

namespace mpiprof::inline v1::traces {

namespace {

using message_ends = std::deque<message_end>;

message_end take_front(message_ends& from) {
    auto const first = from.front();
    from.pop_front();
    return first;
}

/// By which the ends of messages are told apart.
auto key_of(message_end const& end, bool sends) noexcept {
    auto const from = sends ? end.rank : end.peer;
    auto const to = sends ? end.peer : end.rank;
    return std::tuple{end.communicator, from, to, end.tag};
}

/// Is the peer one that there is, and not the null process?
bool has_peer(int peer) noexcept { return peer >= 0; }

/// Does a call of this operation, or a start of a request that it made, send a message to one peer?
bool sends(call const& record) noexcept {
    auto const made = record.operation == operation::start ? record.request : record.operation;
    auto const side = message_side_of(record.operation, record.request);
    return kind_of(made) == kind::point_to_point &&
           (side == message_side::sent || side == message_side::exchanged);
}

/// What a matched receive (mrecv, imrecv) needs of the probe that found its message.
struct matched_probe {
    communicator_id communicator;
    std::int64_t time;
};

/// Collects the ends of messages of one rank.
class end_collector {
  public:
    end_collector(trace const& from, std::size_t rank, message_ends& sent, message_ends& received)
        : from_{from},
          rank_{rank},
          sent_{sent},
          received_{received},
          first_sent_{sent.size()},
          first_received_{received.size()} {}

    void take(event const& each) {
        if (each.type == event_type::completion) take_completion(each);
        if (each.type == event_type::call && (each.call.flags & (call_failed | call_incomplete)) == 0)
            take_call(each);
    }

    void finish() {
        join_probes();
        take_back();
        // Only now is it known which communicator a matched receive was on.
        for (auto i = first_sent_; i < sent_.size(); ++i) find_peer(sent_[i]);
        for (auto i = first_received_; i < received_.size(); ++i) find_peer(received_[i]);
    }

  private:
    template <class Record>
    message_end end_of(event const& each, Record const& record, std::int64_t time, std::int64_t bytes) const {
        return {.event = each.id,
                .communicator = record.communicator,
                .time = time,
                .posted = each.begin,
                .bytes = bytes,
                .rank = static_cast<std::int32_t>(from_.ranks()[rank_].number),
                .peer = record.peer,
                .tag = record.tag};
    }

    void take_call(event const& each) {
        auto const& record = each.call;
        if (record.operation == operation::mprobe || record.operation == operation::improbe) {
            if (has_peer(record.peer))
                probes_.push_back({record.peer, record.tag, {record.communicator, each.end}});
        } else if (sends(record)) {
            if (has_peer(record.peer)) sent_.push_back(end_of(each, record, each.begin, record.sent));
        } else if (message_side_of(record.operation) == message_side::received &&
                   kind_of(record.operation) == kind::point_to_point && record.peer != null_process) {
            if (record.operation == operation::mrecv) matched_.push_back(received_.size());
            received_.push_back(end_of(each, record, each.end, record.received));
        }
    }

    void take_completion(event const& each) {
        auto const& done = each.completion;
        if (done.peer == null_process) return;
        if (done.cancelled) {
            if (request_sends(done.operation)) cancelled_.push_back(end_of(each, done, each.end, 0));
        } else if (done.sent != not_applicable) {
            // Of a start of several requests, which names no peer.
            if (has_peer(done.peer)) sent_.push_back(end_of(each, done, each.begin, done.sent));
        } else if (completion_brings_message(done.operation)) {
            if (done.operation == operation::imrecv) matched_.push_back(received_.size());
            received_.push_back(end_of(each, done, each.end, done.received));
        }
    }

    /// A matched receive names no communicator, and its message was received in turn by its probe.
    void join_probes() {
        std::sort(probes_.begin(), probes_.end(),
                  [](auto const& a, auto const& b) { return a.found.time < b.found.time; });
        std::map<std::pair<std::int64_t, int>, std::deque<matched_probe>> waiting;
        for (auto const& each : probes_) waiting[{each.peer, each.tag}].push_back(each.found);
        std::sort(matched_.begin(), matched_.end(),
                  [this](std::size_t a, std::size_t b) { return received_[a].posted < received_[b].posted; });
        for (auto const number : matched_) {
            auto& end = received_[number];
            auto const found = waiting.find({end.peer, end.tag});
            if (found == waiting.end() || found->second.empty()) continue;
            auto const first = found->second.front();
            found->second.pop_front();
            if (end.communicator == unknown_communicator) end.communicator = first.communicator;
            end.posted = std::min(end.posted, first.time);
        }
    }

    /// Removes the sends that were cancelled.
    void take_back() {
        for (auto const& gone : cancelled_) {
            // A start reads the clock for its requests shortly before it begins.
            auto best = sent_.end();
            for (auto i = sent_.begin() + std::ptrdiff_t(first_sent_); i != sent_.end(); ++i) {
                bool const fits = i->communicator == gone.communicator && i->peer == gone.peer &&
                                  i->tag == gone.tag && i->time >= gone.posted;
                if (fits && (best == sent_.end() || i->time < best->time)) best = i;
            }
            if (best != sent_.end()) sent_.erase(best);
        }
    }

    void find_peer(message_end& end) const {
        end.peer = static_cast<std::int32_t>(from_.world_rank(end.communicator, rank_, end.peer));
    }

    struct probe {
        int peer;
        int tag;
        matched_probe found;
    };

    trace const& from_;
    std::size_t rank_;
    message_ends& sent_;
    message_ends& received_;
    std::size_t first_sent_;
    std::size_t first_received_;
    std::vector<probe> probes_;
    /// Places of matched receives in `received_`.
    std::vector<std::size_t> matched_;
    std::vector<message_end> cancelled_;
};

/// What is known of the ranks at both ends of some messages.
struct both_ranks {
    bool lost = false;
    bool lost_old = false;
    /// By how much a receive may seem to come before its send; -1 if that is not known.
    std::int64_t error = 0;
    bool receiver_lost = false;
};

/// Puts together what belongs together, of messages of one communicator, sender, receiver and tag.
class matcher {
  public:
    matcher(both_ranks const& known, std::deque<message>& made) : known_{known}, made_{made} {}

    /// Takes all that there are.
    void match(message_ends& sent, message_ends& received) {
        in_order_ = !known_.lost && sent.size() == received.size();
        if (known_.lost_old) {
            std::reverse(sent.begin(), sent.end());
            std::reverse(received.begin(), received.end());
        }
        while (!sent.empty() && !received.empty()) {
            switch (fit(sent.front(), received.front())) {
            case answer::yes:
                made_.push_back({take_front(sent), take_front(received)});
                break;
            case answer::drop_send:
                made_.push_back({take_front(sent), {}});
                break;
            case answer::drop_receive:
                made_.push_back({{}, take_front(received)});
                break;
            }
        }
        leave_alone(sent, received);
    }

    /// The same of those whose other ends are not known.
    void leave_alone(message_ends& sent, message_ends& received) {
        while (!sent.empty()) made_.push_back({take_front(sent), {}});
        while (!received.empty()) made_.push_back({{}, take_front(received)});
    }

  private:
    enum class answer { yes, drop_send, drop_receive };

    answer fit(message_end const& send, message_end const& receive) const noexcept {
        if (in_order_) return answer::yes;
        bool const too_early = known_.error >= 0 && receive.time < send.time - known_.error;
        // The other one of the two is the one that goes with something lost.
        if (too_early) return known_.lost_old ? answer::drop_send : answer::drop_receive;
        bool const other_size = send.bytes >= 0 && receive.bytes >= 0 && send.bytes != receive.bytes;
        if (!known_.lost || !other_size) return answer::yes;
        return known_.receiver_lost ? answer::drop_send : answer::drop_receive;
    }

    both_ranks known_;
    std::deque<message>& made_;
    bool in_order_ = false;
};

/// The ranks of a trace by their numbers.
class rank_lookup {
  public:
    explicit rank_lookup(trace const& from) {
        for (auto const& each : from.ranks()) by_number_[each.number] = &each;
    }

    both_ranks both(std::int64_t sender, std::int64_t receiver) const {
        both_ranks known;
        for (auto const number : {sender, receiver}) {
            auto const found = by_number_.find(number);
            if (found == by_number_.end()) continue;
            auto const& each = *found->second;
            known.lost = known.lost || each.dropped > 0 || each.unfinished || each.has_gaps;
            known.lost_old = known.lost_old || (each.dropped > 0 && each.keeps_newest);
            if (known.error >= 0) known.error = each.clock_error < 0 ? -1 : known.error + each.clock_error;
            if (number == receiver)
                known.receiver_lost = each.dropped > 0 || each.unfinished || each.has_gaps;
        }
        return known;
    }

  private:
    std::map<std::int64_t, rank const*> by_number_;
};

void sort(message_ends& ends, bool sends) {
    std::sort(ends.begin(), ends.end(), [sends](message_end const& a, message_end const& b) {
        auto const key_a = key_of(a, sends);
        auto const key_b = key_of(b, sends);
        return key_a != key_b ? key_a < key_b : std::tie(a.posted, a.event) < std::tie(b.posted, b.event);
    });
}

/// Takes those of one key, which are the first ones, if there are any.
template <class Key>
message_ends take_of_key(message_ends& from, Key const& key, bool sends) {
    message_ends taken;
    while (!from.empty() && key_of(from.front(), sends) == key) taken.push_back(take_front(from));
    return taken;
}

/// Of sorted ends, which it takes, so that ends and messages together never take more memory than one of
/// them.
std::deque<message> match(trace const& from, message_ends& sent, message_ends& received) {
    rank_lookup const ranks{from};
    std::deque<message> made;
    while (!sent.empty() || !received.empty()) {
        bool const only_receives = sent.empty() || (!received.empty() && key_of(received.front(), false) <
                                                                             key_of(sent.front(), true));
        auto const key = only_receives ? key_of(received.front(), false) : key_of(sent.front(), true);
        auto sends = take_of_key(sent, key, true);
        auto receives = take_of_key(received, key, false);
        auto const [communicator, sender, receiver, tag] = key;
        matcher here{ranks.both(sender, receiver), made};
        bool const known = communicator >= 0 && sender >= 0 && receiver >= 0 && tag >= 0;
        if (known) here.match(sends, receives);
        else here.leave_alone(sends, receives);
    }
    return made;
}

}  // namespace

std::deque<message> messages_of(trace const& from) {
    message_ends sent;
    message_ends received;
    for (std::size_t rank = 0; rank < from.ranks().size(); ++rank) {
        end_collector collector{from, rank, sent, received};
        for (std::size_t thread = 0; thread < from.ranks()[rank].threads.size(); ++thread)
            from.for_each(rank, thread, [&](event const& each) { collector.take(each); });
        collector.finish();
    }
    sort(sent, true);
    sort(received, false);
    auto made = match(from, sent, received);
    std::sort(made.begin(), made.end(), [](message const& a, message const& b) {
        auto const order = [](message const& each) {
            auto const& first = each.sent.exists() ? each.sent : each.received;
            return std::tuple{!each.is_whole(), first.time, first.event};
        };
        return order(a) < order(b);
    });
    return made;
}

}  // namespace mpiprof::inline v1::traces
