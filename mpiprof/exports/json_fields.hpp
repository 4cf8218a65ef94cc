// Objects in JSON that are written field by field, for what there are millions of.
#pragma once

#include <mpiprof/core/config.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace mpiprof::inline v1::exports {

/// Text as JSON has it, with its quotes; what is no UTF-8 in it becomes replacement characters.
std::string json_text(std::string const& text);

/// One object, which is made anew with `start`. The names of fields need no escapes.
class json_fields {
  public:
    void start();
    void number(std::string_view name, std::int64_t value);
    /// A time of nanoseconds in microseconds, to the nanosecond.
    void microseconds(std::string_view name, std::int64_t nanoseconds);
    /// A word of ours, which needs no escapes.
    void word(std::string_view name, std::string_view value);
    /// What is JSON already.
    void json(std::string_view name, std::string_view value);
    /// What follows is of an object in this one, until `leave`.
    void enter(std::string_view name);
    void leave();
    /// The whole object, valid until the next `start`.
    std::string_view finish();

  private:
    void begin(std::string_view name);

    std::string text_;
    bool first_ = true;
};

}  // namespace mpiprof::inline v1::exports
