// The events of a thread as OTF2 has them.
#pragma once

#include <mpiprof/exports/otf2_references.hpp>
#include <mpiprof/exports/otf2_requests.hpp>
#include <mpiprof/traces/nesting.hpp>

#include <memory>
#include <otf2/otf2.h>
#include <tuple>
#include <vector>

namespace mpiprof::inline v1::exports {

/// What is told of an event beside what OTF2 has records for.
enum otf2_attribute : OTF2_AttributeRef {
    /// Of an enter: where in the source the call stands.
    otf2_call_site,
    /// Of an enter: how many unsuccessful tests or probes, one after the other, are shown as one call.
    otf2_repeats,
    /// Of a leave: the call failed.
    otf2_failed,
    /// Of a leave of a one-sided, file or neighbourhood call: the target, and the bytes that were sent,
    /// received, written and read.
    otf2_peer,
    otf2_sent,
    otf2_received,
    otf2_written,
    otf2_read,
};

/// Writes the events of one thread of a rank.
class otf2_events {
  public:
    otf2_events(OTF2_EvtWriter* writer, otf2_references& references, otf2_requests const& requests);

    void write(traces::trace const& from, std::size_t rank, std::size_t thread);

    /// Time of the last event; 0 if there is none.
    OTF2_TimeStamp last() const noexcept { return now_; }

  private:
    void enter(traces::region const& region);
    void leave(traces::region const& region);
    void observe(traces::event const& completed);

    /// What a test of one request tells of it: operation, communicator, peer and tag of its posting.
    using request_marks = std::tuple<operation, communicator_id, int, int>;
    using open_requests = std::multimap<request_marks, std::uint64_t>;

    void begin_call(traces::event const& made);
    void end_call(traces::event const& made);
    void post(call const& record, std::uint64_t request);
    void complete(completion const& done, std::uint64_t request);
    void complete_collective(call const& posting, std::uint64_t request);
    void cancel(completion const& done, std::uint64_t request);
    OTF2_CollectiveRoot root_of(call const& record) const;
    void send(call const& record);
    void receive(int peer, int tag, communicator_id communicator, std::int64_t received);
    void tell_bytes(call const& record);
    void tell_test(call const& record);
    void advance(std::int64_t time);

    struct free_attributes {
        void operator()(OTF2_AttributeList* list) const { OTF2_AttributeList_Delete(list); }
    };

    OTF2_EvtWriter* writer_;
    otf2_references& references_;
    otf2_requests const& requests_;
    std::unique_ptr<OTF2_AttributeList, free_attributes> attributes_{OTF2_AttributeList_New()};
    OTF2_TimeStamp now_ = 0;
    /// Ends of the regions that the thread is in.
    std::vector<std::int64_t> ends_;
    /// Requests that this thread posted and did not see complete, nor another thread will.
    open_requests open_;
    std::map<std::uint64_t, open_requests::iterator> open_by_number_;
};

}  // namespace mpiprof::inline v1::exports
