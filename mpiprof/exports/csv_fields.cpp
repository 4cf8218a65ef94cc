#include <mpiprof/exports/csv_fields.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace mpiprof::inline v1::exports {

namespace {

class value_writer final : public results::field_visitor {
  public:
    explicit value_writer(csv_writer& to) : to_{to} {}

    void operator()(char const*, std::int64_t& value) override { to_ << value; }
    void operator()(char const*, double& value) override { to_ << value; }
    void operator()(char const*, bool& value) override { to_ << (value ? "true" : "false"); }
    void operator()(char const*, std::string& value) override { to_ << value; }
    void operator()(char const*, std::vector<std::int64_t>& numbers) override {
        to_ << fmt::format("{}", fmt::join(numbers, " "));
    }
    void operator()(char const*, results::object value) override { value.visit(*this); }
    /// A row holds no rows.
    void operator()(char const*, results::row_list&) override {}

  private:
    csv_writer& to_;
};

class name_writer final : public results::field_visitor {
  public:
    name_writer(csv_writer& to, std::string before) : to_{to}, before_{std::move(before)} {}

    void operator()(char const* name, std::int64_t&) override { add(name); }
    void operator()(char const* name, double&) override { add(name); }
    void operator()(char const* name, bool&) override { add(name); }
    void operator()(char const* name, std::string&) override { add(name); }
    void operator()(char const* name, std::vector<std::int64_t>&) override { add(name); }
    void operator()(char const* name, results::object value) override {
        bool const is_whole = std::string_view{name} == "statistics";
        name_writer inner{to_, is_whole ? before_ : before_ + name + '.'};
        value.visit(inner);
    }
    void operator()(char const*, results::row_list&) override {}

  private:
    void add(char const* name) { to_ << before_ + name; }

    csv_writer& to_;
    std::string before_;
};

}  // namespace

void add_fields(csv_writer& to, results::object const& row) {
    value_writer visitor{to};
    row.visit(visitor);
}

void add_field_names(csv_writer& to, results::object const& row) {
    name_writer visitor{to, ""};
    row.visit(visitor);
}

}  // namespace mpiprof::inline v1::exports
