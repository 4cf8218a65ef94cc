#include <mpiprof/cli/read_profile.hpp>

#include <mpiprof/cli/read_shards.hpp>
#include <mpiprof/report/format.hpp>
#include <mpiprof/results/merge.hpp>
#include <mpiprof/run/trace_head.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>

namespace mpiprof::inline v1::cli {

namespace {

using nlohmann::json;

/// Reads described structs field by field; a field that is missing or of another type is named with its path.
class field_reader final : public results::field_visitor {
  public:
    field_reader(json const& from, std::string path) : from_{from}, path_{std::move(path)} {
        if (!from.is_object()) throw input_error(fmt::format("'{}' is no object", path_));
    }

    void operator()(char const* name, std::int64_t& value) override {
        if (auto const* const found = find(name)) value = number(*found, path_of(name));
    }
    void operator()(char const* name, double& value) override {
        auto const* const found = find(name);
        if (found == nullptr) return;
        if (!found->is_number()) throw input_error(fmt::format("'{}' is no number", path_of(name)));
        value = found->get<double>();
    }
    void operator()(char const* name, bool& value) override {
        auto const* const found = find(name);
        if (found == nullptr) return;
        if (!found->is_boolean()) {
            throw input_error(fmt::format("'{}' is neither true nor false", path_of(name)));
        }
        value = found->get<bool>();
    }
    void operator()(char const* name, std::string& value) override {
        auto const* const found = find(name);
        if (found == nullptr) return;
        if (!found->is_string()) throw input_error(fmt::format("'{}' is no string", path_of(name)));
        value = found->get<std::string>();
    }
    void operator()(char const* name, std::vector<std::int64_t>& numbers) override {
        numbers.clear();
        for_each(name,
                 [&](json const& from, std::string const& path) { numbers.push_back(number(from, path)); });
    }
    void operator()(char const* name, results::object value) override {
        if (auto const* const found = find(name)) read(*found, value, path_of(name));
    }
    void operator()(char const* name, results::row_list& rows) override {
        rows.clear();
        for_each(name, [&](json const& from, std::string const& path) { read(from, rows.append(), path); });
    }

  private:
    static bool came_later(std::string_view name) {
        auto const& later = results::profile::later_fields;
        return std::find(std::begin(later), std::end(later), name) != std::end(later);
    }

    std::string path_of(char const* name) const { return path_.empty() ? name : path_ + '.' + name; }

    /// nullptr where the file is older than the field.
    json const* find(char const* name) const {
        auto const found = from_.find(name);
        if (found != from_.end()) return &*found;
        if (!came_later(name)) throw input_error(fmt::format("'{}' is missing", path_of(name)));
        return nullptr;
    }

    /// Calls visit(element, its path) for the elements of an array.
    template <class Visitor>
    void for_each(char const* name, Visitor visit) const {
        auto const* const found = find(name);
        if (found == nullptr) return;
        auto const path = path_of(name);
        if (!found->is_array()) throw input_error(fmt::format("'{}' is no array", path));
        for (std::size_t i = 0; i < found->size(); ++i) visit((*found)[i], fmt::format("{}[{}]", path, i));
    }

    static std::int64_t number(json const& from, std::string const& path) {
        bool const fits = from.is_number_integer() &&
                          (!from.is_number_unsigned() || from.get<std::uint64_t>() <= INT64_MAX);
        if (!fits) throw input_error(fmt::format("'{}' is no integer of 64 bits", path));
        return from.get<std::int64_t>();
    }
    static void read(json const& from, results::object value, std::string const& path) {
        field_reader inner{from, path};
        value.visit(inner);
    }

    json const& from_;
    std::string path_;
};

std::string read_text(std::string const& path) {
    // Opening a directory succeeds; only reading it fails, with an exception that names nothing.
    if (std::filesystem::is_directory(path)) throw input_error("Is a directory");
    std::ifstream file{path, std::ios::binary};
    if (!file) throw input_error(std::strerror(errno));
    std::string text{std::istreambuf_iterator<char>{file}, {}};
    if (file.bad()) throw input_error(std::strerror(errno));
    return text;
}

json parse(std::string const& text) {
    try {
        return json::parse(text);
    } catch (json::parse_error const& error) {
        throw input_error(
            fmt::format("no JSON, or cut off: an error at byte {} of {}", error.byte, text.size()));
    }
}

void check_format(json const& file) {
    auto const format = file.is_object() ? file.find("format") : file.end();
    if (!file.is_object() || format == file.end() || *format != results::profile::format_name) {
        throw input_error(
            fmt::format("no mpiprof profile: its 'format' is not '{}'", results::profile::format_name));
    }
    auto const version = file.find("version");
    if (version == file.end() || !version->is_number_integer() || *version < 1) {
        throw input_error("'version' is no positive integer");
    }
    if (*version > results::profile::format_version) {
        throw input_error(
            fmt::format("of version {}, made by a newer mpiprof; this one reads up to version {}",
                        version->get<std::int64_t>(), results::profile::format_version));
    }
}

/// Ranks must be what rank sets are: sorted ranges that do not touch, within the world.
void check_ranks(char const* field, results::rank_set const& ranks, std::int64_t world_size) {
    std::int64_t next = 0;
    for (auto const& range : ranks) {
        if (range.first < next || range.last < range.first || range.last >= world_size) {
            throw input_error(fmt::format("'{}' has {} to {} in a world of {}", field, range.first,
                                          range.last, world_size));
        }
        next = range.last + 2;
    }
}

void check_ranks(results::profile const& run) {
    check_ranks("ranks", run.ranks, run.world_size);
    check_ranks("left_out", run.left_out, run.world_size);
    if (run.ranks.empty()) throw input_error("'ranks' is empty");
}

}  // namespace

results::profile read_profile(std::string const& path) try {
    auto const text = read_text(path);
    if (is_shard_file(text)) return read_shards(text);
    for (std::string_view const magic : {trace_head::right_magic, trace_archive_head::right_magic}) {
        if (text.starts_with(magic))
            throw input_error("a trace, not a profile; mpiprof export makes other tools' formats of it");
    }
    auto const file = parse(text);
    check_format(file);
    results::profile run;
    field_reader field{file, ""};
    run.describe(field);
    check_ranks(run);
    return run;
} catch (input_error const& error) {
    throw input_error(fmt::format("{}: {}", path, error.what()));
}

results::profile read_run(std::vector<std::string> const& paths,
                          std::function<void(results::profile&)> const& prepare) {
    results::profile run;
    for (auto const& path : paths) {
        auto part = read_profile(path);
        if (!run.ranks.empty() && part.world_size != run.world_size) {
            throw input_error(fmt::format("{}: of a run of {} ranks, the files before it of one of {}", path,
                                          part.world_size, run.world_size));
        }
        if (!run.job.empty() && !part.job.empty() && part.job != run.job) {
            throw input_error(
                fmt::format("{}: of job '{}', the files before it of job '{}'; give the files of one run",
                            path, part.job, run.job));
        }
        if (results::overlap(run.ranks, part.ranks)) {
            throw input_error(fmt::format("{}: has rank {} like a file before it; give the files of one run",
                                          path, report::ranks(part.ranks)));
        }
        if (prepare) prepare(part);
        results::merge(run, std::move(part));
    }
    return run;
}

}  // namespace mpiprof::inline v1::cli
