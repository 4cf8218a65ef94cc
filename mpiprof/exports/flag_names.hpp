// The flags of a call as words.
#pragma once

#include <mpiprof/core/call.hpp>

#include <string>
#include <utility>

namespace mpiprof::inline v1::exports {

/// "failed in_place": those that are set, in the order of their bits; "" for none.
inline std::string flag_names(std::uint16_t flags) {
    constexpr std::pair<call_flag, char const*> names[] = {{call_failed, "failed"},
                                                           {call_incomplete, "incomplete"},
                                                           {call_in_place, "in_place"},
                                                           {call_estimated, "estimated"}};
    std::string text;
    for (auto const& [flag, name] : names) {
        if ((flags & flag) == 0) continue;
        if (!text.empty()) text += ' ';
        text += name;
    }
    return text;
}

}  // namespace mpiprof::inline v1::exports
