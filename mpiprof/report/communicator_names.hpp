// Communicators as a report names them.
#pragma once

#include <mpiprof/core/call.hpp>
#include <mpiprof/report/format.hpp>
#include <mpiprof/results/profile.hpp>

#include <string>

namespace mpiprof::inline v1::report {

/// Names communicators: by their names, told apart by their ids where several have the same, and else by
/// their ids, as region names have them.
class communicator_names {
  public:
    explicit communicator_names(results::profile const& run) noexcept : known_{&run.communicators} {}

    /// nullptr where the profile does not know it.
    [[gnu::cold]] results::communicator_row const* find(std::int64_t id) const {
        for (auto const& row : *known_) {
            if (row.id == id) return &row;
        }
        return nullptr;
    }

    /// Never empty. For the id of no communicator "-".
    [[gnu::cold]] std::string name(std::int64_t id) const {
        auto const* const row = find(id);
        if (row != nullptr && row->name.find_first_not_of(' ') != std::string::npos) {
            auto text = printable(row->name);
            if (is_shared(*row)) text += " (" + generated(id) + ')';
            return text;
        }
        return generated(id);
    }

  private:
    [[gnu::cold]] static std::string generated(std::int64_t id) {
        switch (id) {
        case unknown_communicator:
            return "-";
        case world_communicator:
            return "world";
        case self_communicator:
            return "self";
        default:
            return "comm=" + std::to_string(id);
        }
    }

    [[gnu::cold]] bool is_shared(results::communicator_row const& one) const {
        for (auto const& row : *known_) {
            if (row.id != one.id && row.name == one.name) return true;
        }
        return false;
    }

    results::rows<results::communicator_row> const* known_;
};

}  // namespace mpiprof::inline v1::report
