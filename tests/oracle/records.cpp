#include "tests/oracle/records.hpp"

#include <mpiprof/run/profiler.hpp>

namespace oracle {

collected& recorded() {
    static collected everything;
    static mpiprof::profiler<instrumentation> const profiler{instrumentation::sink{collect{&everything}}};
    return everything;
}

call as_call(mpiprof::call const& record) {
    return {.operation = name(record.operation),
            .failed = (record.flags & mpiprof::call_failed) != 0,
            .incomplete = (record.flags & mpiprof::call_incomplete) != 0,
            .in_place = (record.flags & mpiprof::call_in_place) != 0,
            .peer = record.peer,
            .tag = record.tag,
            .root = record.root,
            .sent = record.sent,
            .received = record.received,
            .written = record.written,
            .read = record.read,
            .capacity = record.capacity,
            .request = name(record.request)};
}

completion as_completion(mpiprof::completion const& record) {
    return {.operation = name(record.operation),
            .cancelled = record.cancelled,
            .peer = record.peer,
            .tag = record.tag,
            .received = record.received,
            .read = record.read,
            .sent = record.sent,
            .taken_back = record.taken_back};
}

}  // namespace oracle
