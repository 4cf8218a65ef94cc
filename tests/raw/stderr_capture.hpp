// What a piece of a program writes to stderr.
#pragma once

#include <cstdio>
#include <string>
#include <unistd.h>

namespace cases {

/// From here to `text()` or its end, what is written to stderr goes to a file of its own.
class stderr_capture {
  public:
    stderr_capture() : file_{std::tmpfile()}, original_{::dup(STDERR_FILENO)} {
        ::dup2(::fileno(file_), STDERR_FILENO);
    }

    stderr_capture(stderr_capture const&) = delete;
    stderr_capture& operator=(stderr_capture const&) = delete;

    ~stderr_capture() {
        restore();
        std::fclose(file_);
    }

    /// Ends the capture, and tells what was written.
    std::string text() {
        restore();
        std::string all;
        std::rewind(file_);
        for (int each = std::fgetc(file_); each != EOF; each = std::fgetc(file_))
            all += static_cast<char>(each);
        return all;
    }

  private:
    void restore() {
        if (original_ < 0) return;
        ::dup2(original_, STDERR_FILENO);
        ::close(original_);
        original_ = -1;
    }

    std::FILE* file_;
    int original_;
};

}  // namespace cases
