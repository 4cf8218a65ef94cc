#include <mpiprof/exports/json_list.hpp>

namespace mpiprof::inline v1::exports {

void write_json(std::ostream& out, json_object const& value) {
    out << value.dump(-1, ' ', false, json_object::error_handler_t::replace);
}

std::ostream& json_list::next() {
    out_ << (first_ ? "\n" : ",\n");
    first_ = false;
    return out_;
}

}  // namespace mpiprof::inline v1::exports
