#include <mpiprof/cli/read_profile.hpp>

#include <mpiprof/cli/read_shards.hpp>
#include <mpiprof/report/format.hpp>
#include <mpiprof/results/merge.hpp>

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
class field_reader {
  public:
    field_reader(json const& from, std::string path) : from_{from}, path_{std::move(path)} {
        if (!from.is_object()) throw input_error(fmt::format("'{}' is no object", path_));
    }

    void operator()(char const* name, auto& value) {
        auto const path = path_.empty() ? name : path_ + '.' + name;
        auto const found = from_.find(name);
        if (found == from_.end() && came_later(name)) return;
        if (found == from_.end()) throw input_error(fmt::format("'{}' is missing", path));
        get(*found, value, path);
    }

  private:
    static bool came_later(std::string_view name) {
        auto const& later = results::profile::later_fields;
        return std::find(std::begin(later), std::end(later), name) != std::end(later);
    }

    static void get(json const& from, std::int64_t& value, std::string const& path) {
        bool const fits = from.is_number_integer() &&
                          (!from.is_number_unsigned() || from.get<std::uint64_t>() <= INT64_MAX);
        if (!fits) throw input_error(fmt::format("'{}' is no integer of 64 bits", path));
        value = from.get<std::int64_t>();
    }
    static void get(json const& from, double& value, std::string const& path) {
        if (!from.is_number()) throw input_error(fmt::format("'{}' is no number", path));
        value = from.get<double>();
    }
    static void get(json const& from, bool& value, std::string const& path) {
        if (!from.is_boolean()) throw input_error(fmt::format("'{}' is neither true nor false", path));
        value = from.get<bool>();
    }
    static void get(json const& from, std::string& value, std::string const& path) {
        if (!from.is_string()) throw input_error(fmt::format("'{}' is no string", path));
        value = from.get<std::string>();
    }
    template <class Row>
    static void get(json const& from, std::vector<Row>& rows, std::string const& path) {
        if (!from.is_array()) throw input_error(fmt::format("'{}' is no array", path));
        rows.resize(from.size());
        for (std::size_t i = 0; i < rows.size(); ++i) get(from[i], rows[i], fmt::format("{}[{}]", path, i));
    }
    template <class Struct>
    static void get(json const& from, Struct& value, std::string const& path) {
        field_reader inner{from, path};
        Struct::describe(value, inner);
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
void check_ranks(results::profile const& run) {
    std::int64_t next = 0;
    for (auto const& range : run.ranks) {
        if (range.first < next || range.last < range.first || range.last >= run.world_size) {
            throw input_error(fmt::format("'ranks' has {} to {} in a world of {}", range.first, range.last,
                                          run.world_size));
        }
        next = range.last + 2;
    }
    if (run.ranks.empty()) throw input_error("'ranks' is empty");
}

}  // namespace

results::profile read_profile(std::string const& path) try {
    auto const text = read_text(path);
    if (is_shard_file(text)) return read_shards(text);
    auto const file = parse(text);
    check_format(file);
    results::profile run;
    field_reader field{file, ""};
    results::profile::describe(run, field);
    check_ranks(run);
    return run;
} catch (input_error const& error) {
    throw input_error(fmt::format("{}: {}", path, error.what()));
}

results::profile read_run(std::vector<std::string> const& paths) {
    results::profile run;
    for (auto const& path : paths) {
        auto const part = read_profile(path);
        if (!run.ranks.empty() && part.world_size != run.world_size) {
            throw input_error(fmt::format("{}: of a run of {} ranks, the files before it of one of {}", path,
                                          part.world_size, run.world_size));
        }
        if (results::overlap(run.ranks, part.ranks)) {
            throw input_error(fmt::format("{}: has rank {} like a file before it; give the files of one run",
                                          path, report::ranks(part.ranks)));
        }
        results::merge(run, part);
    }
    return run;
}

}  // namespace mpiprof::inline v1::cli
