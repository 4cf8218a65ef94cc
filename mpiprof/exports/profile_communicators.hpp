// Names of communicators of a profile.
#pragma once

#include <mpiprof/results/profile.hpp>

#include <map>

namespace mpiprof::inline v1::exports {

inline std::map<std::int64_t, std::string> communicator_names(results::profile const& of) {
    std::map<std::int64_t, std::string> names;
    for (auto const& row : of.communicators) names.emplace(row.id, row.name);
    return names;
}

/// "" for one that has none.
inline std::string name_in(std::map<std::int64_t, std::string> const& names, std::int64_t id) {
    auto const found = names.find(id);
    return found == names.end() ? std::string{} : found->second;
}

}  // namespace mpiprof::inline v1::exports
