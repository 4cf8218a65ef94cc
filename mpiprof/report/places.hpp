// Places in the source as a report names them.
#pragma once

#include <mpiprof/report/format.hpp>
#include <mpiprof/results/profile.hpp>

#include <string>

namespace mpiprof::inline v1::report {

/// Names call sites without the folders that all files of the run have in front of them.
class places {
  public:
    [[gnu::cold]] explicit places(results::profile const& run) {
        bool first = true;
        for (auto const& row : run.call_sites) {
            if (first) shared_ = row.file;
            first = false;
            std::size_t length = 0;
            auto const folder = row.file.rfind('/') + 1;
            while (length < shared_.size() && length < folder && shared_[length] == row.file[length])
                ++length;
            shared_.resize(length);
        }
        shared_.resize(shared_.rfind('/') + 1);
    }

    /// "solver.cpp:214", or "unknown".
    [[gnu::cold]] std::string name(std::string const& file, std::int64_t line) const {
        if (file.empty()) return "unknown";
        auto text =
            printable(file.compare(0, shared_.size(), shared_) == 0 ? file.substr(shared_.size()) : file);
        text += ':';
        text += std::to_string(line);
        return text;
    }

  private:
    std::string shared_;
};

}  // namespace mpiprof::inline v1::report
