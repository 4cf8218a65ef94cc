// What processes left that died before they could write their profiles.
#pragma once

#include <string>

namespace mpiprof::inline v1::cli {

/// Makes rank files of the shards, and finished traces of the traces, in `folder` that processes of the
/// session left (see in_session), and removes them. Those of processes that still run, of other users and of
/// other hosts are let alone, so that any number of processes may do this at a time. Says on standard error
/// what cannot be read or written, which then stays. Returns how many of the session's processes still run.
int gather_shards(std::string const& folder, std::string const& session);

/// Is there anything to gather by now?
bool has_shards_to_gather(std::string const& folder, std::string const& session);

}  // namespace mpiprof::inline v1::cli
