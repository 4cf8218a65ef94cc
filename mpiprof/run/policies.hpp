// The names of the policies. Under -DMPIPROF_DISABLED those that take long to compile are only declared,
// since nothing is recorded; who uses one there by itself includes its header.
#pragma once

#include <mpiprof/bytes/none.hpp>
#include <mpiprof/bytes/payload.hpp>
#include <mpiprof/bytes/serialized.hpp>
#include <mpiprof/sinks/callback.hpp>
#include <mpiprof/sinks/none.hpp>
#include <mpiprof/sinks/summary_name.hpp>
#include <mpiprof/timing/none.hpp>

#ifdef MPIPROF_DISABLED

namespace mpiprof::inline v1 {

namespace timing {

struct steady;
struct tsc;

}  // namespace timing

namespace sinks {

class tally;
class trace;

}  // namespace sinks

}  // namespace mpiprof::inline v1

#else

#include <mpiprof/sinks/fanout.hpp>
#include <mpiprof/sinks/on_request.hpp>
#include <mpiprof/sinks/summary.hpp>
#include <mpiprof/sinks/tally.hpp>
#include <mpiprof/sinks/trace.hpp>
#include <mpiprof/timing/tsc.hpp>

#endif
