#include <mpiprof/exports/otf2_events.hpp>

#include <mpiprof/exports/otf2_error.hpp>
#include <mpiprof/exports/otf2_operations.hpp>

#include <algorithm>
#include <iterator>

namespace mpiprof::inline v1::exports {

namespace {

/// OTF2 has no word for an unknown number of bytes, and a viewer would add up any number that stood for it.
std::uint64_t known_nbytes(std::int64_t nbytes) noexcept {
    return nbytes < 0 ? 0 : static_cast<std::uint64_t>(nbytes);
}

/// A rank or a tag; what is not known is OTF2's undefined.
std::uint32_t number_of(int value) noexcept {
    return value < 0 ? OTF2_UNDEFINED_UINT32 : static_cast<std::uint32_t>(value);
}

/// A request that exchanges is two for OTF2, so each has two numbers.
std::uint64_t send_id(std::uint64_t request) noexcept { return 2 * request; }
std::uint64_t receive_id(std::uint64_t request) noexcept { return 2 * request + 1; }

/// Does a request that this operation made send? Does it receive?
bool sends(operation made) noexcept {
    return request_sends(made) || detail::message_of(made) == message_side::exchanged;
}
bool receives(operation made) noexcept { return completion_brings_message(made); }

/// Has the call a message that no request stands for?
bool moves_at_once(call const& record) noexcept {
    return kind_of(record.operation) == kind::point_to_point && posted_operation(record) == operation::none &&
           (record.flags & call_failed) == 0;
}

/// The collective that a successful call is from its begin to its end.
std::optional<otf2_collective> blocking_collective(call const& record) noexcept {
    if ((record.flags & call_failed) != 0) return std::nullopt;
    auto const collective = otf2_collective_of(record.operation);
    return collective && collective->blocking ? collective : std::nullopt;
}

}  // namespace

otf2_events::otf2_events(OTF2_EvtWriter* writer, otf2_references& references, otf2_requests const& requests)
    : writer_{writer},
      references_{references},
      requests_{requests} {}

void otf2_events::write(traces::trace const& from, std::size_t rank, std::size_t thread) {
    traces::for_each_nested(
        from, rank, thread, [this](traces::region const& entered) { enter(entered); },
        [this](traces::region const& left) { leave(left); },
        [this](traces::event const& completed) { observe(completed); });
}

/// OTF2's times never step back, and nothing in a region is after its end.
void otf2_events::advance(std::int64_t time) {
    if (!ends_.empty()) time = std::min(time, ends_.back());
    if (time > 0) now_ = std::max(now_, static_cast<OTF2_TimeStamp>(time));
}

void otf2_events::enter(traces::region const& region) {
    advance(region.begin);
    ends_.push_back(region.end);
    auto const& made = region.what;
    if (made.type == traces::event_type::phase_begin) {
        otf2_check(OTF2_EvtWriter_Enter(writer_, nullptr, now_, references_.phase(made.phase)));
        return;
    }
    auto* const attributes = attributes_.get();
    if (*made.call.site.file() != '\0')
        otf2_check(OTF2_AttributeList_AddSourceCodeLocationRef(attributes, otf2_call_site,
                                                               references_.place(made.call.site)));
    if (made.type == traces::event_type::repeated)
        otf2_check(OTF2_AttributeList_AddInt64(attributes, otf2_repeats, made.repeats));
    otf2_check(OTF2_EvtWriter_Enter(writer_, attributes, now_, references_.function(made.call.operation)));
    begin_call(made);
}

void otf2_events::leave(traces::region const& region) {
    advance(region.end);
    ends_.pop_back();
    auto const& made = region.what;
    if (made.type == traces::event_type::phase_begin) {
        otf2_check(OTF2_EvtWriter_Leave(writer_, nullptr, now_, references_.phase(made.phase)));
        return;
    }
    end_call(made);
    otf2_check(
        OTF2_EvtWriter_Leave(writer_, attributes_.get(), now_, references_.function(made.call.operation)));
}

/// What OTF2 has at the begin of a call: what it sends and posts.
void otf2_events::begin_call(traces::event const& made) {
    auto const& record = made.call;
    for (auto const& each : requests_.posted_by(made.id)) {
        auto const* const told = requests_.posting(each.number);
        post(told != nullptr ? *told : record, each.number);
        if (!each.stays_here) continue;
        open_by_number_[each.number] = open_.emplace(
            request_marks{posted_operation(record), record.communicator, record.peer, record.tag},
            each.number);
    }
    if (moves_at_once(record)) send(record);
    if (blocking_collective(record) && references_.communicator(record.communicator))
        otf2_check(OTF2_EvtWriter_MpiCollectiveBegin(writer_, nullptr, now_));
}

/// At its end: what it received, and what a collective did.
void otf2_events::end_call(traces::event const& made) {
    auto const& record = made.call;
    if (moves_at_once(record) && message_side_of(record.operation) == message_side::received)
        receive(record.peer, record.tag, record.communicator, record.received);
    auto const communicator = references_.communicator(record.communicator);
    if (auto const collective = blocking_collective(record); collective && communicator)
        otf2_check(OTF2_EvtWriter_MpiCollectiveEnd(writer_, nullptr, now_, collective->what, *communicator,
                                                   root_of(record), known_nbytes(record.sent),
                                                   known_nbytes(record.received)));
    if ((record.flags & call_failed) != 0)
        otf2_check(OTF2_AttributeList_AddUint8(attributes_.get(), otf2_failed, 1));
    tell_bytes(record);
    if ((record.flags & call_incomplete) != 0) tell_test(record);
}

/// A test found its request not complete. Which one that was is known if only one is like it.
void otf2_events::tell_test(call const& record) {
    auto const [first, last] =
        open_.equal_range(request_marks{record.request, record.communicator, record.peer, record.tag});
    if (first == last || std::next(first) != last || !references_.communicator(record.communicator)) return;
    auto const id = sends(record.request) || kind_of(record.request) == kind::collective
                        ? send_id(first->second)
                        : receive_id(first->second);
    otf2_check(OTF2_EvtWriter_MpiRequestTest(writer_, nullptr, now_, id));
}

/// The bytes of what OTF2 has no record for that could be written without the window or the file.
void otf2_events::tell_bytes(call const& record) {
    auto const what = kind_of(record.operation);
    bool const neighbourhood = what == kind::collective && !otf2_collective_of(record.operation);
    if (what != kind::one_sided && what != kind::io && !neighbourhood) return;
    auto* const attributes = attributes_.get();
    if (record.peer >= 0) otf2_check(OTF2_AttributeList_AddInt32(attributes, otf2_peer, record.peer));
    auto const tell = [&](otf2_attribute attribute, std::int64_t nbytes) {
        if (nbytes > 0) otf2_check(OTF2_AttributeList_AddInt64(attributes, attribute, nbytes));
    };
    tell(otf2_sent, record.sent);
    tell(otf2_received, record.received);
    tell(otf2_written, record.written);
    tell(otf2_read, record.read);
}

OTF2_CollectiveRoot otf2_events::root_of(call const& record) const {
    if (record.root == intercommunicator_root) return OTF2_COLLECTIVE_ROOT_SELF;
    if (record.root == null_process) return OTF2_COLLECTIVE_ROOT_THIS_GROUP;
    bool const is_rank = references_.has_rank(record.communicator, record.root);
    return is_rank ? number_of(record.root) : OTF2_COLLECTIVE_ROOT_NONE;
}

void otf2_events::send(call const& record) {
    auto const side = message_side_of(record.operation);
    if (side != message_side::sent && side != message_side::exchanged) return;
    if (!references_.has_rank(record.communicator, record.peer)) return;
    otf2_check(OTF2_EvtWriter_MpiSend(writer_, nullptr, now_, number_of(record.peer),
                                      *references_.communicator(record.communicator), number_of(record.tag),
                                      known_nbytes(record.sent)));
}

void otf2_events::receive(int peer, int tag, communicator_id communicator, std::int64_t received) {
    if (!references_.has_rank(communicator, peer)) return;
    otf2_check(OTF2_EvtWriter_MpiRecv(writer_, nullptr, now_, number_of(peer),
                                      *references_.communicator(communicator), number_of(tag),
                                      known_nbytes(received)));
}

/// A request as OTF2 has it when it is posted.
void otf2_events::post(call const& record, std::uint64_t request) {
    auto const made = posted_operation(record);
    auto const communicator = references_.communicator(record.communicator);
    if (!communicator) return;
    if (kind_of(made) == kind::collective)
        otf2_check(OTF2_EvtWriter_NonBlockingCollectiveRequest(writer_, nullptr, now_, send_id(request)));
    if (sends(made) && references_.has_rank(record.communicator, record.peer))
        otf2_check(OTF2_EvtWriter_MpiIsend(writer_, nullptr, now_, number_of(record.peer), *communicator,
                                           number_of(record.tag), known_nbytes(record.sent),
                                           send_id(request)));
    if (receives(made))
        otf2_check(OTF2_EvtWriter_MpiIrecvRequest(writer_, nullptr, now_, receive_id(request)));
}

/// What a call found to be complete. Of a request that was posted before the trace begins nothing but the
/// message that arrived can be told.
void otf2_events::observe(traces::event const& completed) {
    advance(completed.end);
    auto const& done = completed.completion;
    auto const request = requests_.completed_by(completed.id);
    if (auto const open = open_by_number_.find(request.value_or(UINT64_MAX)); open != open_by_number_.end()) {
        open_.erase(open->second);
        open_by_number_.erase(open);
    }
    if (!references_.communicator(done.communicator)) return;
    if (request && done.cancelled) cancel(done, *request);
    else if (request) complete(done, *request);
    else if (receives(done.operation) && !done.cancelled)
        receive(done.peer, done.tag, done.communicator, done.received);
}

void otf2_events::cancel(completion const& done, std::uint64_t request) {
    auto const id = sends(done.operation) ? send_id(request) : receive_id(request);
    otf2_check(OTF2_EvtWriter_MpiRequestCancelled(writer_, nullptr, now_, id));
}

void otf2_events::complete(completion const& done, std::uint64_t request) {
    auto const* const posting = requests_.posting(request);
    if (kind_of(done.operation) == kind::collective) {
        complete_collective(*posting, request);
        return;
    }
    auto const receiver = posting != nullptr ? posting->peer : done.peer;
    if (sends(done.operation) && references_.has_rank(done.communicator, receiver))
        otf2_check(OTF2_EvtWriter_MpiIsendComplete(writer_, nullptr, now_, send_id(request)));
    if (receives(done.operation) && references_.has_rank(done.communicator, done.peer))
        otf2_check(OTF2_EvtWriter_MpiIrecv(writer_, nullptr, now_, number_of(done.peer),
                                           *references_.communicator(done.communicator), number_of(done.tag),
                                           known_nbytes(done.received), receive_id(request)));
}

void otf2_events::complete_collective(call const& posting, std::uint64_t request) {
    otf2_check(OTF2_EvtWriter_NonBlockingCollectiveComplete(
        writer_, nullptr, now_, otf2_collective_of(posted_operation(posting))->what,
        *references_.communicator(posting.communicator), root_of(posting), known_nbytes(posting.sent),
        known_nbytes(posting.received), send_id(request)));
}

}  // namespace mpiprof::inline v1::exports
