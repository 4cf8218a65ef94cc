#include <mpiprof/exports/scope_profiler_sums.hpp>

#include <mpiprof/exports/scope_profiler_regions.hpp>
#include <mpiprof/exports/valid_text.hpp>

#include <algorithm>
#include <map>

namespace mpiprof::inline v1::exports {

namespace {

operation operation_named(std::string const& name) noexcept {
    return find_operation(name.data(), name.size());
}

region_metadata metadata_of(results::call_row const& row) noexcept {
    auto const made_by = operation_named(row.operation);
    bool const barrier =
        kind_of(made_by) == kind::collective && detail::message_of(made_by) == message_side::none;
    return {.operation = made_by,
            .kind = kind_of(made_by),
            .bytes = barrier ? 0 : -1,
            .communicator = row.communicator,
            .request = operation_named(row.request)};
}

region_sums sums_of_phase(results::phase_row const& phase) {
    auto const& time = phase.rank_time;
    bool const once = phase.entered == time.ranks;
    return {.name = valid_text(phase.name),
            .tags = {},
            .count = phase.entered,
            .total = time.sum,
            .minimum = once ? time.least : 0,
            .maximum = time.most,
            .exclusive = time.sum};
}

}  // namespace

std::vector<region_sums> region_sums_of(results::profile const& from) {
    std::map<std::string, region_sums> regions;
    auto const add = [&](region_sums sums) {
        auto const [place, is_new] = regions.try_emplace(sums.name, sums);
        if (is_new) return;
        auto& into = place->second;
        into.count += sums.count;
        into.total += sums.total;
        into.minimum = std::min(into.minimum, sums.minimum);
        into.maximum = std::max(into.maximum, sums.maximum);
        into.exclusive += sums.exclusive;
    };
    auto const add_calls = [&](std::string name, std::vector<std::string> tags,
                               results::statistics const& calls) {
        auto const& time = calls.time;
        if (calls.calls == 0) return;
        add({std::move(name), std::move(tags), calls.calls, time.sum, time.least, time.most, time.sum});
    };
    for (auto const& row : from.calls) {
        auto const region = metadata_of(row);
        add_calls(format_region(region), tags_of(region), row.statistics);
    }
    add_calls("mpi:other", {"mpi"}, from.overflow);
    for (auto const& phase : from.phases) add(sums_of_phase(phase));

    std::vector<region_sums> list;
    for (auto& [name, sums] : regions) list.push_back(std::move(sums));
    return list;
}

std::int64_t rank_of_sums(results::profile const& from) noexcept {
    return size(from.ranks) == 1 ? from.ranks.front().first : 0;
}

}  // namespace mpiprof::inline v1::exports
