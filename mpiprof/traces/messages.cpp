#include <mpiprof/traces/messages.hpp>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
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

using message_ends = std::deque<found_end>;

found_end take_front(message_ends& from) {
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

bool sizes_agree(found_end const& send, found_end const& receive) noexcept {
    return send.bytes < 0 || receive.bytes < 0 || receive.is_room || send.bytes == receive.bytes;
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

/// Does it post a receive?
bool posts_receive(operation value) noexcept {
    return value == operation::irecv || value == operation::imrecv;
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
        if (each.type != event_type::call) return;
        if ((each.call.flags & call_failed) != 0) take_failed(each);
        else if ((each.call.flags & call_incomplete) == 0) take_call(each);
    }

    void finish() {
        // Only of these it is known whose messages they would have got.
        for (auto const& [key, end] : posted_)
            if (has_peer(end.peer) && end.tag >= 0) received_.push_back(end);
        join_probes();
        take_back();
        // Only now is it known which communicator a matched receive was on.
        for (auto i = first_sent_; i < sent_.size(); ++i) find_peer(sent_[i]);
        for (auto i = first_received_; i < received_.size(); ++i) find_peer(received_[i]);
    }

  private:
    template <class Record>
    found_end end_of(event const& each, Record const& record, std::int64_t time, std::int64_t bytes) const {
        found_end made{{.event = each.id,
                        .communicator = record.communicator,
                        .time = time,
                        .posted = each.begin,
                        .bytes = bytes,
                        .rank = static_cast<std::int32_t>(from_.ranks()[rank_].number),
                        .peer = record.peer,
                        .tag = record.tag}};
        made.is_matched = record.operation == operation::mrecv || record.operation == operation::imrecv;
        return made;
    }

    found_end possible_end_of(event const& each, std::int64_t time) const {
        auto made = end_of(each, each.call, time, not_applicable);
        made.is_sure = false;
        return made;
    }

    /// A message that is too long for its receive is received all the same.
    void take_failed(event const& each) {
        auto const& record = each.call;
        if (receives(record.operation) && has_peer(record.peer) && record.tag >= 0)
            received_.push_back(possible_end_of(each, each.end));
    }

    /// It is none of its own once it is seen to complete, maybe by a thread that was read before.
    void take_posted(event const& each) {
        request_key const key{each.call.communicator, each.begin};
        if (auto const done = completed_.find(key); done != completed_.end()) completed_.erase(done);
        else posted_.emplace(key, possible_end_of(each, not_applicable));
    }

    void take_completed(completion const& done) {
        request_key const key{done.communicator, done.posted};
        if (auto const begun = posted_.find(key); begun != posted_.end()) posted_.erase(begun);
        else completed_.insert(key);
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
        } else if (posts_receive(record.operation)) {
            take_posted(each);
        }
    }

    void take_completion(event const& each) {
        auto const& done = each.completion;
        if (posts_receive(done.operation)) take_completed(done);
        if (done.peer == null_process) return;
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

    void find_peer(found_end& end) const {
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
    std::vector<found_end> cancelled_;
    /// Receives that were posted and not seen to complete yet, and completions without the call that posted
    /// them, both by communicator and time of the posting.
    using request_key = std::pair<communicator_id, std::int64_t>;
    std::multimap<request_key, found_end> posted_;
    std::multiset<request_key> completed_;
};

/// What is known of the ranks at both ends of some messages.
struct both_ranks {
    bool sender_lost = false;
    bool receiver_lost = false;
    bool lost_old = false;
    /// By how much a receive may seem to come before its send; -1 if that is not known.
    std::int64_t error = 0;
};

/// How far it is to the next end of some size, of ends that are taken from the front of `ends`. It is made
/// when it is needed: sizes mostly agree.
class next_of_size {
  public:
    static constexpr auto none = SIZE_MAX;

    explicit next_of_size(message_ends const& ends) : ends_{ends}, all_{ends.size()} {}

    std::size_t distance(std::int64_t bytes) {
        auto const taken = all_ - ends_.size();
        if (places_.empty())
            for (std::size_t i = 0; i < ends_.size(); ++i) places_[ends_[i].bytes].push_back(taken + i);
        auto const found = places_.find(bytes);
        if (found == places_.end()) return none;
        auto& its = found->second;
        while (!its.empty() && its.front() < taken) its.pop_front();
        return its.empty() ? none : its.front() - taken;
    }

  private:
    message_ends const& ends_;
    std::size_t all_;
    std::unordered_map<std::int64_t, std::deque<std::size_t>> places_;
};

/// Puts together what belongs together, of messages of one communicator, sender, receiver and tag. It takes
/// all that there are.
class matcher {
  public:
    matcher(both_ranks const& known, message_ends& sent, message_ends& received, std::deque<message>& made)
        : known_{known},
          sent_{sent},
          received_{received},
          made_{made} {}

    void match() {
        auto const sure = std::count_if(received_.begin(), received_.end(), is_sure);
        spare_ = std::ssize(sent_) - sure;
        in_order_ = !known_.sender_lost && !known_.receiver_lost && spare_ == 0;
        if (known_.lost_old) turn_round();
        while (!sent_.empty() && !received_.empty()) {
            switch (fit()) {
            case answer::yes:
                made_.push_back({take_front(sent_), take_front(received_)});
                break;
            case answer::drop_send:
                made_.push_back({take_front(sent_), {}});
                break;
            case answer::drop_receive:
                drop_receive();
                break;
            }
        }
        leave_alone();
    }

    /// The same of those whose other ends are not known.
    void leave_alone() {
        while (!sent_.empty()) made_.push_back({take_front(sent_), {}});
        while (!received_.empty()) drop_receive();
    }

  private:
    enum class answer { yes, drop_send, drop_receive };

    static bool is_sure(found_end const& receive) noexcept { return receive.is_sure; }

    void turn_round() {
        // Those that still wait for a message at the end tell nothing of the sends before it.
        while (!received_.empty() && !received_.back().is_sure) received_.pop_back();
        std::reverse(sent_.begin(), sent_.end());
        std::reverse(received_.begin(), received_.end());
    }

    void drop_receive() {
        auto const gone = take_front(received_);
        if (gone.is_sure) made_.push_back({{}, gone});
    }

    answer fit() {
        auto const& send = sent_.front();
        auto const& receive = received_.front();
        if (!receive.is_sure) return fit_possible();
        bool drops_send = known_.lost_old;
        if (!is_too_early(send, receive)) {
            if (sizes_agree(send, receive)) return answer::yes;
            drops_send = goes_with_nothing(send, receive);
        }
        // The other one of the two is the one that goes with something that is not there.
        spare_ += drops_send ? -1 : 1;
        return drops_send ? answer::drop_send : answer::drop_receive;
    }

    bool is_too_early(message_end const& send, message_end const& receive) const noexcept {
        return !in_order_ && known_.error >= 0 && receive.is_observed() &&
               receive.time < send.time - known_.error;
    }

    /// Is it the send, of two ends of different sizes, that has no other end? The one that has one is that
    /// for which it comes sooner.
    bool goes_with_nothing(message_end const& send, message_end const& receive) {
        in_order_ = false;
        auto const to_send = next_sent_.distance(receive.bytes);
        auto const to_receive = next_received_.distance(send.bytes);
        if (to_send == next_of_size::none || to_receive == next_of_size::none)
            return to_send != next_of_size::none;
        if (known_.sender_lost != known_.receiver_lost) return known_.receiver_lost;
        return to_send < to_receive;
    }

    answer fit_possible() {
        bool const is_message = spare_ > 0 && !is_too_early(sent_.front(), received_.front()) &&
                                (agree_from(1) || !agree_from(0));
        spare_ -= is_message ? 1 : 0;
        return is_message ? answer::yes : answer::drop_receive;
    }

    /// Do the sure receives that come after the first receive go with the sends from this one on?
    bool agree_from(std::size_t first) const {
        constexpr std::size_t enough = 64;
        auto const count = std::min({enough, sent_.size() - first, received_.size() - 1});
        for (std::size_t i = 0; i < count; ++i) {
            auto const& send = sent_[first + i];
            auto const& receive = received_[1 + i];
            if (!receive.is_sure) break;
            if (is_too_early(send, receive) || !sizes_agree(send, receive)) return false;
        }
        return true;
    }

    both_ranks known_;
    message_ends& sent_;
    message_ends& received_;
    std::deque<message>& made_;
    /// Sends that are more than the sure receives.
    std::ptrdiff_t spare_ = 0;
    /// Nothing is missing, so that the order tells more than clocks do.
    bool in_order_ = false;
    next_of_size next_sent_{sent_};
    next_of_size next_received_{received_};
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
            known.lost_old = known.lost_old || (each.dropped > 0 && each.keeps_newest);
            if (known.error >= 0) known.error = each.clock_error < 0 ? -1 : known.error + each.clock_error;
            bool const lost = each.dropped > 0 || each.unfinished || each.has_gaps;
            if (number == sender) known.sender_lost = lost;
            if (number == receiver) known.receiver_lost = lost;
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
        matcher here{ranks.both(sender, receiver), sends, receives, made};
        bool const known = communicator >= 0 && sender >= 0 && receiver >= 0 && tag >= 0;
        if (known) here.match();
        else here.leave_alone();
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
