// Places in the source as a report names them.
#pragma once

#include <mpiprof/report/format.hpp>
#include <mpiprof/results/profile.hpp>

#include <string>

namespace mpiprof::inline v1::report {

/// Names call sites without the folders that all files of the run have in front of them. A site may be one of
/// several frames, " < " between them.
class places {
  public:
    [[gnu::cold]] explicit places(results::profile const& run) {
        bool first = true;
        for (auto const& row : run.call_sites) {
            for (std::size_t frame = 0; frame != std::string::npos; frame = frame_after(row.file, frame)) {
                auto const length = folder_length(row.file, frame);
                // What stands without a line need not be a file: a function, or nothing.
                if (row.line == 0 && length == 0) continue;
                if (first) shared_.assign(row.file, frame, length);
                else shared_.resize(shared_length(row.file, frame, length));
                first = false;
            }
        }
        shared_.resize(shared_.rfind('/') + 1);
        // What is left of files that share no folder.
        if (shared_ == "/") shared_.clear();
    }

    /// "solver.cpp:214", "solve+0x1c" where there is no line, or "unknown".
    [[gnu::cold]] std::string name(std::string const& file, std::int64_t line) const {
        if (file.empty()) return "unknown";
        auto text = printable(file);
        for (std::size_t frame = 0; frame != std::string::npos; frame = frame_after(text, frame)) {
            if (text.compare(frame, shared_.size(), shared_) == 0) text.erase(frame, shared_.size());
        }
        if (line == 0) return text;
        text += ':';
        text += std::to_string(line);
        return text;
    }

  private:
    /// Where the next frame begins; npos after the last.
    [[gnu::cold]] static std::size_t frame_after(std::string const& text, std::size_t frame) {
        auto const end = text.find(" < ", frame);
        return end == std::string::npos ? end : end + 3;
    }

    /// Of the folders of a frame, with the last '/'.
    [[gnu::cold]] static std::size_t folder_length(std::string const& text, std::size_t frame) {
        auto const end = text.find(" < ", frame);
        auto const after_slash = text.rfind('/', end) + 1;
        return after_slash > frame ? after_slash - frame : 0;
    }

    [[gnu::cold]] std::size_t shared_length(std::string const& text, std::size_t frame,
                                            std::size_t most) const {
        std::size_t length = 0;
        while (length < most && length < shared_.size() && shared_[length] == text[frame + length]) ++length;
        return length;
    }

    std::string shared_;
};

}  // namespace mpiprof::inline v1::report
