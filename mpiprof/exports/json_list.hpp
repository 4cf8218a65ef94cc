// Lists in JSON that are written as they come, so that they need no memory.
#pragma once

#include <mpiprof/core/config.hpp>

#include <nlohmann/json.hpp>
#include <ostream>
#include <string_view>

namespace mpiprof::inline v1::exports {

/// Fields in the order in which they are added.
using json_object = nlohmann::ordered_json;

/// Writes a value. What is no UTF-8 in a string becomes replacement characters; numbers are as JSON has them,
/// whatever the locale.
void write_json(std::ostream& out, json_object const& value);

/// The elements of a list, each in a line of its own, with commas between them; the brackets are the
/// caller's.
class json_list {
  public:
    explicit json_list(std::ostream& out) : out_{out} {}

    /// Begins an element and returns where to write it.
    std::ostream& next();
    void add(json_object const& element) { write_json(next(), element); }
    /// One that is JSON already.
    void add_json(std::string_view element) { next() << element; }

  private:
    std::ostream& out_;
    bool first_ = true;
};

}  // namespace mpiprof::inline v1::exports
