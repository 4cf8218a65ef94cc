#include <mpiprof/cli/resolve_places.hpp>

#include <mpiprof/report/format.hpp>
#include <mpiprof/results/merge.hpp>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cxxabi.h>
#include <elfutils/libdwfl.h>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

namespace mpiprof::inline v1::cli {

namespace {

constexpr std::string_view between_frames = " < ";

/// A place in the source; line 0 where `file` says it all.
struct source_place {
    std::string file;
    std::int64_t line = 0;
    /// Is it in the function where programs begin?
    bool in_main = false;

    std::string text() const { return line > 0 ? fmt::format("{}:{}", file, line) : file; }
};

/// A return address in a module: "/path/of/module@0123456789abcdef+0x1234".
struct module_place {
    /// With its build id.
    std::string_view module;
    std::string_view path;
    /// Hexadecimal digits; "" where the module had none.
    std::string_view build_id;
    std::uint64_t offset = 0;
};

bool is_hexadecimal(std::string_view text) noexcept {
    return text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::optional<module_place> parse_place(std::string_view text) {
    constexpr std::string_view before_offset = "+0x";
    auto const plus = text.rfind(before_offset);
    if (plus == std::string_view::npos || text.front() != '/') return {};
    module_place place{text.substr(0, plus), text.substr(0, plus), {}, 0};
    auto const digits = text.substr(plus + before_offset.size());
    auto const [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), place.offset, 16);
    if (error != std::errc{} || end != digits.data() + digits.size() || place.offset == 0) return {};
    if (auto const at = place.path.rfind('@'); at != std::string_view::npos) {
        auto const id = place.path.substr(at + 1);
        if (!id.empty() && id.size() <= 16 && is_hexadecimal(id)) {
            place.build_id = id;
            place.path = place.path.substr(0, at);
        }
    }
    return place;
}

std::string demangled(char const* name) {
    int status = 0;
    std::unique_ptr<char, void (*)(void*)> const text{abi::__cxa_demangle(name, nullptr, nullptr, &status),
                                                      &std::free};
    return text == nullptr ? name : text.get();
}

/// What debuggers know of one module.
class module_file {
  public:
    enum class condition { good, missing, rebuilt };

    explicit module_file(module_place const& place) : path_{place.path} {
        static char* debug_folders = nullptr;
        static Dwfl_Callbacks const callbacks{&::dwfl_build_id_find_elf, &::dwfl_standard_find_debuginfo,
                                              &::dwfl_offline_section_address, &debug_folders};
        session_.reset(::dwfl_begin(&callbacks));
        if (session_ == nullptr) return;
        module_ = ::dwfl_report_offline(session_.get(), path_.c_str(), path_.c_str(), -1);
        ::dwfl_report_end(session_.get(), nullptr, nullptr);
        if (module_ == nullptr || ::dwfl_module_getelf(module_, &bias_) == nullptr) return;
        condition_ = build_id() == place.build_id ? condition::good : condition::rebuilt;
    }

    condition state() const noexcept { return condition_; }
    std::string const& path() const noexcept { return path_; }

    /// The place of the call that returns to an address in the file.
    source_place find(std::uint64_t return_address) const {
        if (condition_ != condition::good) return by_module(return_address);
        auto const address = return_address - 1 + bias_;
        source_place place;
        int line = 0;
        auto* const entry = ::dwfl_module_getsrc(module_, address);
        char const* const file =
            entry == nullptr ? nullptr : ::dwfl_lineinfo(entry, nullptr, &line, nullptr, nullptr, nullptr);

        GElf_Off distance = 0;
        GElf_Sym symbol{};
        char const* const function =
            ::dwfl_module_addrinfo(module_, address, &distance, &symbol, nullptr, nullptr, nullptr);
        bool const inside = function != nullptr && distance < symbol.st_size;
        if (file != nullptr && line > 0) place = {file, line};
        else if (inside) place.file = fmt::format("{}+{:#x}", demangled(function), distance + 1);
        else place = by_module(return_address);
        place.in_main = inside && std::string_view{function} == "main";
        return place;
    }

  private:
    source_place by_module(std::uint64_t return_address) const {
        return {fmt::format("{}+{:#x}", path_.substr(path_.rfind('/') + 1), return_address), 0};
    }

    /// As far as call sites give it.
    std::string build_id() const {
        unsigned char const* bytes = nullptr;
        GElf_Addr address = 0;
        auto const size = ::dwfl_module_build_id(module_, &bytes, &address);
        std::string text;
        for (int byte = 0; byte < std::min(size, 8); ++byte) text += fmt::format("{:02x}", bytes[byte]);
        return text;
    }

    struct end_session {
        void operator()(Dwfl* session) const noexcept { ::dwfl_end(session); }
    };

    std::string path_;
    std::unique_ptr<Dwfl, end_session> session_;
    Dwfl_Module* module_ = nullptr;
    GElf_Addr bias_ = 0;
    condition condition_ = condition::missing;
};

}  // namespace

/// The modules that were opened, and what was found in them.
class place_resolver::modules {
  public:
    /// nullptr where the text is no call site of an unmodified program.
    source_place const* find(std::string const& text) {
        auto const [found, is_new] = places_.try_emplace(text);
        if (is_new) found->second = resolve(text);
        return found->second ? &*found->second : nullptr;
    }

    std::string notes() const {
        return note("Rebuilt since the run, so that no lines are known", rebuilt_) +
               note("Not found, or not readable", missing_) + note("Without line numbers", without_lines_);
    }

  private:
    static std::string note(std::string_view reason, std::set<std::string> const& paths) {
        if (paths.empty()) return {};
        std::string text;
        for (auto const& path : paths) text += (text.empty() ? "" : ", ") + report::printable(path);
        return fmt::format("{}: {}.\n", reason, text);
    }

    std::optional<source_place> resolve(std::string_view text) {
        if (text.find(between_frames) == std::string_view::npos) return resolve_one(text);
        source_place joined;
        while (!text.empty()) {
            auto const end = text.find(between_frames);
            auto const frame = text.substr(0, end);
            text = end == std::string_view::npos ? "" : text.substr(end + between_frames.size());
            auto const place = resolve_one(frame);
            if (!joined.file.empty()) joined.file += between_frames;
            joined.file += place ? place->text() : frame;
            // What runs before main is the same for all.
            if (place && place->in_main) break;
        }
        return joined;
    }

    std::optional<source_place> resolve_one(std::string_view text) {
        auto const parsed = parse_place(text);
        if (!parsed) return {};
        auto const [found, is_new] = files_.try_emplace(std::string{parsed->module}, *parsed);
        auto const& file = found->second;
        auto place = file.find(parsed->offset);
        switch (file.state()) {
        case module_file::condition::missing:
            missing_.insert(file.path());
            break;
        case module_file::condition::rebuilt:
            rebuilt_.insert(file.path());
            break;
        case module_file::condition::good:
            if (place.line == 0) without_lines_.insert(file.path());
        }
        return place;
    }

    std::unordered_map<std::string, std::optional<source_place>> places_;
    std::map<std::string, module_file, std::less<>> files_;
    std::set<std::string> missing_;
    std::set<std::string> rebuilt_;
    std::set<std::string> without_lines_;
};

namespace {

/// Adds, on each rank, a second number to the first, as far as that can be known: `all` is how many ranks
/// the run has.
void add(results::over_ranks& into, results::over_ranks const& from, std::int64_t all) {
    if (from.ranks == 0) return;
    if (into.ranks == 0) {
        into = from;
        return;
    }
    auto const at_least = [all](results::over_ranks const& of) { return of.ranks == all ? of.least : 0; };
    bool const same = into.rank_of_most == from.rank_of_most;
    auto const most = into.most + (same ? from.most : at_least(from));
    auto const others_most = from.most + (same ? into.most : at_least(into));
    if (others_most > most || (others_most == most && from.rank_of_most < into.rank_of_most))
        into.rank_of_most = from.rank_of_most;
    into.least =
        into.ranks == all && from.ranks == all ? into.least + from.least : std::min(into.least, from.least);
    into.ranks = std::max(into.ranks, from.ranks);
    into.sum += from.sum;
    into.most = std::max({most, others_most, into.sum / into.ranks});
}

void add(results::statistics& into, results::statistics const& from, std::int64_t all) {
    results::add_calls(into, from);
    add(into.rank_time, from.rank_time, all);
}
void add(results::call_site_row& into, results::call_site_row const& from, std::int64_t all) {
    add(into.statistics, from.statistics, all);
}
void add(results::call_row& into, results::call_row const& from, std::int64_t all) {
    add(into.statistics, from.statistics, all);
}
void add(results::completion_row& into, results::completion_row const& from, std::int64_t) {
    results::merge(into, from);
}
void add(results::in_progress_row& into, results::in_progress_row const& from, std::int64_t) {
    results::merge(into, from);
}
void add(results::outstanding_row& into, results::outstanding_row const& from, std::int64_t all) {
    add(into.requests, from.requests, all);
}

/// Puts rows of one key together.
template <class Row>
void combine(results::rows<Row>& list, std::int64_t all) {
    auto const order = [](void const* a, void const* b) {
        return Row::order(*static_cast<Row const*>(a), *static_cast<Row const*>(b));
    };
    results::rows<Row> combined;
    for (auto* const each : list.sorted(order)) {
        auto const& row = *static_cast<Row const*>(each);
        if (!combined.empty() && Row::order(combined.back(), row) == 0) add(combined.back(), row, all);
        else combined.push_back(row);
    }
    list = std::move(combined);
}

}  // namespace

place_resolver::place_resolver() : modules_{std::make_unique<modules>()} {}
place_resolver::place_resolver(place_resolver&&) noexcept = default;
place_resolver::~place_resolver() = default;

void place_resolver::resolve(results::profile& run) {
    auto const all = results::size(run.ranks);
    auto const resolve_rows = [&](auto& rows) {
        bool any = false;
        for (auto& row : rows) {
            auto const* const place = row.line == 0 ? modules_->find(row.file) : nullptr;
            if (place == nullptr) continue;
            row.file = place->file;
            row.line = place->line;
            any = true;
        }
        if (any) combine(rows, all);
    };
    resolve_rows(run.call_sites);
    resolve_rows(run.calls);
    resolve_rows(run.completions);
    resolve_rows(run.outstanding);
    resolve_rows(run.in_progress);
}

std::string place_resolver::place(std::string const& file) {
    auto const* const found = modules_->find(file);
    return found == nullptr ? file : found->text();
}

std::string place_resolver::notes() const { return modules_->notes(); }

}  // namespace mpiprof::inline v1::cli
