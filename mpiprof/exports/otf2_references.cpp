#include <mpiprof/exports/otf2_references.hpp>

#include <mpiprof/exports/otf2_error.hpp>
#include <mpiprof/exports/otf2_operations.hpp>
#include <mpiprof/exports/site_text.hpp>
#include <mpiprof/exports/valid_text.hpp>

#include <algorithm>

namespace mpiprof::inline v1::exports {

namespace {

template <class Reference>
Reference next_number(std::size_t size) noexcept {
    return static_cast<Reference>(size);
}

/// The larger group's.
std::size_t size_of(traces::communicator const& of, otf2_world const& world) {
    if (of.id == self_communicator) return 1;
    std::size_t size = 0;
    for (std::size_t group = 0; group < of.groups.size(); ++group)
        size = std::max(size, world.members(of, group).size());
    return size;
}

}  // namespace

otf2_references::otf2_references(run const& from, otf2_world const& world) : from_{from}, none_{text("")} {
    for (auto const& [id, known] : from.trace->communicators()) add_communicator(*from.trace, world, id);
}

void otf2_references::add_communicator(traces::trace const& from, otf2_world const& world,
                                       communicator_id id) {
    auto const found = from.communicators().find(id);
    if (found == from.communicators().end()) return;
    // A place of its own first, so that a damaged trace whose parents go round in a circle ends.
    if (!communicator_numbers_.emplace(id, OTF2_UNDEFINED_COMM).second) return;
    add_communicator(from, world, found->second.parent);
    communicator_numbers_[id] = next_number<OTF2_CommRef>(communicators_.size());
    communicators_.push_back(id);
    communicator_sizes_.push_back(size_of(found->second, world));
}

bool otf2_references::has_rank(communicator_id id, int rank) const {
    auto const number = communicator(id);
    return number && rank >= 0 && static_cast<std::size_t>(rank) < communicator_sizes_[*number];
}

std::optional<OTF2_CommRef> otf2_references::communicator(communicator_id id) const {
    auto const found = communicator_numbers_.find(id);
    if (found == communicator_numbers_.end()) return std::nullopt;
    return found->second;
}

OTF2_StringRef otf2_references::text(std::string_view value) {
    auto const [entry, is_new] =
        texts_.emplace(valid_text(std::string{value}), next_number<OTF2_StringRef>(texts_by_number_.size()));
    if (is_new) texts_by_number_.push_back(&entry->first);
    return entry->second;
}

OTF2_RegionRef otf2_references::add(region const& made) {
    regions_.push_back(made);
    return next_number<OTF2_RegionRef>(regions_.size() - 1);
}

OTF2_RegionRef otf2_references::function(operation value) {
    auto const known = functions_.find(value);
    if (known != functions_.end()) return known->second;
    auto const number = add({text(mpi_function_name(value)), otf2_role_of(value), false});
    functions_.emplace(value, number);
    return number;
}

OTF2_RegionRef otf2_references::phase(std::string_view name) {
    auto const its_name = text(name);
    auto const known = phases_.find(its_name);
    if (known != phases_.end()) return known->second;
    auto const number = add({its_name, OTF2_REGION_ROLE_CODE, true});
    phases_.emplace(its_name, number);
    return number;
}

OTF2_SourceCodeLocationRef otf2_references::place(call_site site) {
    return site.line() != 0 ? place(site.file(), site.line()) : look_up(site.file());
}

OTF2_SourceCodeLocationRef otf2_references::place(std::string_view file, std::uint32_t line) {
    place_in_source const its{text(file), line};
    auto const [known, is_new] =
        places_.emplace(its, next_number<OTF2_SourceCodeLocationRef>(places_by_number_.size()));
    if (is_new) places_by_number_.push_back(its);
    return known->second;
}

OTF2_SourceCodeLocationRef otf2_references::look_up(std::string const& site) {
    auto const known = looked_up_.find(site);
    if (known != looked_up_.end()) return known->second;
    auto const found = from_.resolve ? from_.resolve(site) : site;
    auto const [file, line] = split_place(found);
    auto const number = place(file, line);
    looked_up_.emplace(site, number);
    return number;
}

void otf2_references::define_texts(OTF2_GlobalDefWriter* writer) {
    for (; undefined_text_ < texts_by_number_.size(); ++undefined_text_) {
        auto const& text = *texts_by_number_[undefined_text_];
        otf2_check(OTF2_GlobalDefWriter_WriteString(writer, undefined_text_, text.c_str()));
    }
}

void otf2_references::define_regions(OTF2_GlobalDefWriter* writer) const {
    OTF2_SourceCodeLocationRef place = 0;
    for (auto const& [file, line] : places_by_number_)
        otf2_check(OTF2_GlobalDefWriter_WriteSourceCodeLocation(writer, place++, file, line));
    OTF2_RegionRef self = 0;
    for (auto const& each : regions_) {
        otf2_check(OTF2_GlobalDefWriter_WriteRegion(
            writer, self++, each.name, each.name, none_, each.role,
            each.is_phase ? OTF2_PARADIGM_USER : OTF2_PARADIGM_MPI,
            each.is_phase ? OTF2_REGION_FLAG_PHASE : OTF2_REGION_FLAG_NONE, none_, 0, 0));
    }
}

}  // namespace mpiprof::inline v1::exports
