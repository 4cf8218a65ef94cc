#include <mpiprof/traces/messages.hpp>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <iterator>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace mpiprof::inline v1::traces {

namespace {

/// An end of a message as it is found.
struct found_end : message_end {
    /// It may have been no end of a message: a receive that failed, or was never seen to complete.
    bool is_sure = true;
    /// It names no communicator: a matched receive.
    bool is_matched = false;
    /// Its bytes may be the room for the message (see fill_receive_side of raw/).
    bool is_room = false;
};

/// By which the ends of messages are told apart.
auto key_of(message_end const& end, bool sends) noexcept {
    auto const from = sends ? end.rank : end.peer;
    auto const to = sends ? end.peer : end.rank;
    return std::tuple{end.communicator, from, to, end.tag};
}

bool sizes_agree(found_end const& send, found_end const& receive) noexcept {
    return send.bytes < 0 || receive.is_room || receive.bytes < 0 || send.bytes == receive.bytes;
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

/// Does a call of this operation itself receive a message?
bool receives(operation value) noexcept {
    return message_side_of(value) == message_side::received && kind_of(value) == kind::point_to_point;
}

/// What a matched receive (mrecv, imrecv) needs of the probe that found its message.
struct matched_probe {
    communicator_id communicator;
    std::int64_t time;
};

/// Collects the ends of messages of one rank.
class end_collector {
  public:
    end_collector(trace const& from, std::size_t rank, std::vector<found_end>& sent,
                  std::vector<found_end>& received)
        : from_{from},
          rank_{rank},
          sent_{sent},
          received_{received},
          first_sent_{sent.size()},
          first_received_{received.size()} {}

    void take(event const& each) {
        if (each.type == event_type::completion) take_completion(each);
        if (each.type != event_type::call) return;
        if ((each.call.flags & call_failed) != 0) take_failed(each);
        else if ((each.call.flags & call_incomplete) == 0) take_call(each);
    }

    void finish() {
        add_unobserved();
        join_probes();
        take_back();
        // Only now is it known which communicator a matched receive was on.
        for (auto i = first_sent_; i < sent_.size(); ++i) find_peer(sent_[i]);
        for (auto i = first_received_; i < received_.size(); ++i) find_peer(received_[i]);
    }

  private:
    template <class Record>
    found_end end_of(event const& each, Record const& record, std::int64_t time, std::int64_t bytes) const {
        bool const is_matched = record.operation == operation::mrecv || record.operation == operation::imrecv;
        return {{each.id, from_.ranks()[rank_].number, record.peer, record.communicator, record.tag, time,
                 each.begin, bytes},
                true,
                is_matched};
    }

    /// A receive that may have been one; only where the message that it got can be known.
    void take_possible(std::vector<found_end>& into, event const& each, std::int64_t time) const {
        if (!has_peer(each.call.peer) || each.call.tag < 0) return;
        into.push_back(end_of(each, each.call, time, not_applicable));
        into.back().is_sure = false;
    }

    /// A message that is too long for its receive is received all the same.
    void take_failed(event const& each) {
        if (receives(each.call.operation)) take_possible(received_, each, each.end);
    }

    void take_call(event const& each) {
        auto const& record = each.call;
        if (record.operation == operation::mprobe || record.operation == operation::improbe) {
            if (has_peer(record.peer))
                probes_.push_back({record.peer, record.tag, {record.communicator, each.end}});
        } else if (sends(record)) {
            if (has_peer(record.peer)) sent_.push_back(end_of(each, record, each.begin, record.sent));
        } else if (receives(record.operation) && record.peer != null_process) {
            received_.push_back(end_of(each, record, each.end, record.received));
        } else if (record.operation == operation::irecv || record.operation == operation::imrecv) {
            take_possible(posted_, each, not_applicable);
        }
    }

    void take_completion(event const& each) {
        auto const& done = each.completion;
        if (done.peer == null_process) return;
        if (completion_brings_message(done.operation)) completed_.push_back({done.communicator, done.posted});
        if (done.cancelled) {
            if (request_sends(done.operation)) cancelled_.push_back(end_of(each, done, each.end, 0));
        } else if (done.sent != not_applicable) {
            // Of a start of several requests, which names no peer.
            if (has_peer(done.peer)) sent_.push_back(end_of(each, done, each.begin, done.sent));
        } else if (completion_brings_message(done.operation)) {
            received_.push_back(end_of(each, done, each.end, done.received));
            received_.back().is_room =
                done.operation == operation::isendrecv || done.operation == operation::isendrecv_replace;
        }
    }

    /// Adds the receives that were posted and never seen to complete.
    void add_unobserved() {
        auto const before = [](auto const& a, auto const& b) {
            return std::tie(a.communicator, a.posted) < std::tie(b.communicator, b.posted);
        };
        std::sort(posted_.begin(), posted_.end(), before);
        std::sort(completed_.begin(), completed_.end(), before);
        std::set_difference(posted_.begin(), posted_.end(), completed_.begin(), completed_.end(),
                            std::back_inserter(received_), before);
    }

    /// A matched receive names no communicator, and its message was received in turn by its probe.
    void join_probes() {
        std::sort(probes_.begin(), probes_.end(),
                  [](auto const& a, auto const& b) { return a.found.time < b.found.time; });
        std::map<std::pair<std::int64_t, int>, std::deque<matched_probe>> waiting;
        for (auto const& each : probes_) waiting[{each.peer, each.tag}].push_back(each.found);
        std::vector<std::size_t> matched;
        for (auto i = first_received_; i < received_.size(); ++i)
            if (received_[i].is_matched) matched.push_back(i);
        std::sort(matched.begin(), matched.end(),
                  [this](std::size_t a, std::size_t b) { return received_[a].posted < received_[b].posted; });
        for (auto const number : matched) {
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

    void find_peer(found_end& end) const { end.peer = from_.world_rank(end.communicator, rank_, end.peer); }

    struct probe {
        int peer;
        int tag;
        matched_probe found;
    };

    /// By which the call that posted a request is known from its completion.
    struct request_key {
        communicator_id communicator;
        std::int64_t posted;
    };

    trace const& from_;
    std::size_t rank_;
    std::vector<found_end>& sent_;
    std::vector<found_end>& received_;
    std::size_t first_sent_;
    std::size_t first_received_;
    std::vector<probe> probes_;
    std::vector<found_end> cancelled_;
    /// Receives that were posted, and requests that completed.
    std::vector<found_end> posted_;
    std::vector<request_key> completed_;
};

/// What is known of the ranks at both ends of some messages.
struct both_ranks {
    bool sender_lost = false;
    bool receiver_lost = false;
    bool lost_old = false;
    /// By how much a receive may seem to come before its send; -1 if that is not known.
    std::int64_t error = 0;
};

/// How far it is to the next end of some size, in a range of ends that is passed through once.
template <class Iterator>
class next_of_size {
  public:
    static constexpr auto none = PTRDIFF_MAX;

    next_of_size(Iterator first, Iterator last) : first_{first}, last_{last} {}

    std::ptrdiff_t distance(Iterator from, std::int64_t bytes) {
        if (places_.empty())
            for (auto each = first_; each != last_; ++each) places_[each->bytes].push_back(each - first_);
        auto& its = places_[bytes];
        while (!its.empty() && its.front() < from - first_) its.pop_front();
        return its.empty() ? none : its.front() - (from - first_);
    }

  private:
    Iterator first_;
    Iterator last_;
    std::unordered_map<std::int64_t, std::deque<std::ptrdiff_t>> places_;
};

/// Puts together what belongs together, of messages of one communicator, sender, receiver and tag, from one
/// side on.
template <class Iterator>
class matcher {
  public:
    matcher(both_ranks const& known, Iterator sent, Iterator sent_end, Iterator received,
            Iterator received_end)
        : known_{known},
          sent_{sent},
          sent_end_{sent_end},
          received_{received},
          received_end_{received_end},
          spare_{sent_end - sent - std::count_if(received, received_end, is_sure)},
          next_sent_{sent, sent_end},
          next_received_{received, received_end} {
        bool const lost = known.sender_lost || known.receiver_lost;
        in_order_ = !lost && spare_ == 0;
    }

    void match(std::vector<message>& made) {
        while (sent_ != sent_end_ && received_ != received_end_) {
            switch (fit()) {
            case answer::yes:
                made.push_back({*sent_++, *received_++});
                break;
            case answer::drop_send:
                made.push_back({*sent_++, {}});
                break;
            case answer::drop_receive:
                drop_receive(made);
                break;
            }
        }
        while (sent_ != sent_end_) made.push_back({*sent_++, {}});
        while (received_ != received_end_) drop_receive(made);
    }

  private:
    enum class answer { yes, drop_send, drop_receive };

    static bool is_sure(found_end const& receive) noexcept { return receive.is_sure; }

    void drop_receive(std::vector<message>& made) {
        if (received_->is_sure) made.push_back({{}, *received_});
        ++received_;
    }

    answer fit() {
        if (!received_->is_sure) return fit_possible();
        if (is_too_early(*sent_, *received_)) return known_.lost_old ? drop_send() : drop_receive();
        return sizes_agree(*sent_, *received_) ? answer::yes : fit_other_sizes();
    }

    /// One of the two is the one that goes with something that is not there.
    answer drop_send() noexcept {
        --spare_;
        return answer::drop_send;
    }
    answer drop_receive() noexcept {
        ++spare_;
        return answer::drop_receive;
    }

    bool is_too_early(message_end const& send, message_end const& receive) const noexcept {
        return !in_order_ && known_.error >= 0 && receive.is_observed() &&
               receive.time < send.time - known_.error;
    }

    answer fit_other_sizes() {
        in_order_ = false;
        auto const sends = next_sent_.distance(sent_, received_->bytes);
        auto const receives = next_received_.distance(received_, sent_->bytes);
        if (sends == next_sent_.none) return drop_receive();
        if (receives == next_received_.none) return drop_send();
        if (known_.sender_lost != known_.receiver_lost)
            return known_.receiver_lost ? drop_send() : drop_receive();
        return sends < receives ? drop_send() : drop_receive();
    }

    answer fit_possible() {
        if (spare_ <= 0 || is_too_early(*sent_, *received_)) return answer::drop_receive;
        bool const is_message = agree(sent_ + 1, received_ + 1) || !agree(sent_, received_ + 1);
        if (!is_message) return answer::drop_receive;
        --spare_;
        return answer::yes;
    }

    /// Do the sure receives that come next go with the sends that come next?
    bool agree(Iterator send, Iterator receive) const {
        constexpr int enough = 64;
        for (int i = 0; i < enough && send != sent_end_ && receive != received_end_; ++i, ++send, ++receive) {
            if (!receive->is_sure) break;
            if (is_too_early(*send, *receive) || !sizes_agree(*send, *receive)) return false;
        }
        return true;
    }

    both_ranks known_;
    Iterator sent_;
    Iterator sent_end_;
    Iterator received_;
    Iterator received_end_;
    /// Sends that are more than the sure receives.
    std::ptrdiff_t spare_;
    /// Nothing is missing, so that the order tells more than clocks do.
    bool in_order_;
    next_of_size<Iterator> next_sent_;
    next_of_size<Iterator> next_received_;
};

using end_iterator = std::vector<found_end>::iterator;

void match_channel(both_ranks const& known, end_iterator sent, end_iterator sent_end, end_iterator received,
                   end_iterator received_end, std::vector<message>& made) {
    if (!known.lost_old) return matcher{known, sent, sent_end, received, received_end}.match(made);
    // Those that wait for their first message at the end tell nothing of the sends before it.
    while (received != received_end && !(received_end - 1)->is_sure) --received_end;
    using reverse = std::reverse_iterator<end_iterator>;
    matcher{known, reverse{sent_end}, reverse{sent}, reverse{received_end}, reverse{received}}.match(made);
}

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
            known.lost_old = known.lost_old || (each.dropped > 0 && each.keeps_newest);
            if (known.error >= 0) known.error = each.clock_error < 0 ? -1 : known.error + each.clock_error;
            bool const lost = each.dropped > 0 || each.unfinished;
            if (number == sender) known.sender_lost = lost;
            if (number == receiver) known.receiver_lost = lost;
        }
        return known;
    }

  private:
    std::map<std::int64_t, rank const*> by_number_;
};

void sort(std::vector<found_end>& ends, bool sends) {
    std::sort(ends.begin(), ends.end(), [sends](message_end const& a, message_end const& b) {
        auto const key_a = key_of(a, sends);
        auto const key_b = key_of(b, sends);
        return key_a != key_b ? key_a < key_b : std::tie(a.posted, a.event) < std::tie(b.posted, b.event);
    });
}

auto end_of_key(std::vector<found_end>::iterator first, std::vector<found_end>::iterator last, bool sends) {
    auto const key = key_of(*first, sends);
    return std::find_if(first, last, [&](message_end const& each) { return key_of(each, sends) != key; });
}

std::vector<message> match(trace const& from, std::vector<found_end>& sent,
                           std::vector<found_end>& received) {
    rank_lookup const ranks{from};
    std::vector<message> made;
    made.reserve(std::max(sent.size(), received.size()));
    auto send = sent.begin();
    auto receive = received.begin();
    while (send != sent.end() || receive != received.end()) {
        bool const only_receives = send == sent.end() || (receive != received.end() &&
                                                          key_of(*receive, false) < key_of(*send, true));
        auto const key = only_receives ? key_of(*receive, false) : key_of(*send, true);
        auto const sends_end = only_receives ? send : end_of_key(send, sent.end(), true);
        bool const has_receives = receive != received.end() && key_of(*receive, false) == key;
        auto const receives_end = has_receives ? end_of_key(receive, received.end(), false) : receive;
        // Ends of which the other one is not known have none.
        auto const [communicator, sender, receiver, tag] = key;
        both_ranks const both = ranks.both(sender, receiver);
        bool const known = communicator >= 0 && sender >= 0 && receiver >= 0 && tag >= 0;
        if (known) {
            match_channel(both, send, sends_end, receive, receives_end, made);
        } else {
            match_channel(both, send, sends_end, receive, receive, made);
            match_channel(both, sends_end, sends_end, receive, receives_end, made);
        }
        send = sends_end;
        receive = receives_end;
    }
    return made;
}

}  // namespace

std::vector<message> messages_of(trace const& from) {
    std::vector<found_end> sent;
    std::vector<found_end> received;
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
