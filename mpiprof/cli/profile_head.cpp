#include <mpiprof/cli/profile_head.hpp>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>

namespace mpiprof::inline v1::cli {

namespace {

/// Takes the fields of the outermost object that it is after, and has the parser stop when it has them.
class head_reader final : public nlohmann::json_sax<nlohmann::json> {
  public:
    profile_head head;

    bool key(string_t& name) override {
        if (depth_ == 1) key_ = name;
        return true;
    }
    bool string(string_t& value) override {
        if (depth_ == 1 && key_ == "job") head.job = value;
        return !complete();
    }
    bool number_integer(number_integer_t value) override { return number(value); }
    bool number_unsigned(number_unsigned_t value) override {
        return number(static_cast<std::int64_t>(value));
    }
    bool start_object(std::size_t) override {
        ++depth_;
        return true;
    }
    bool end_object() override {
        --depth_;
        return true;
    }
    bool start_array(std::size_t) override { return start_object(0); }
    bool end_array() override { return end_object(); }
    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_float(number_float_t, string_t const&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool parse_error(std::size_t, std::string const&, nlohmann::detail::exception const&) override {
        head = {};
        return false;
    }

  private:
    bool number(std::int64_t value) {
        if (depth_ == 1 && key_ == "world_size") head.world_size = value;
        return !complete();
    }
    bool complete() const { return !head.job.empty() && head.world_size > 0; }

    int depth_ = 0;
    std::string key_;
};

}  // namespace

profile_head read_head(std::string const& path) {
    head_reader reader;
    std::ifstream file{path, std::ios::binary};
    nlohmann::json::sax_parse(file, &reader);
    return reader.head;
}

}  // namespace mpiprof::inline v1::cli
