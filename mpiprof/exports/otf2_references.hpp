// What the events of an OTF2 archive refer to by number: texts, regions, places in the source, communicators.
#pragma once

#include <mpiprof/exports/format.hpp>
#include <mpiprof/exports/otf2_world.hpp>

#include <map>
#include <optional>
#include <otf2/otf2.h>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace mpiprof::inline v1::exports {

/// Gives out the numbers, in the order in which they are asked for, and defines what was asked for.
class otf2_references {
  public:
    /// The communicators of the run's trace have their numbers at once.
    otf2_references(run const& from, otf2_world const& world);

    OTF2_StringRef text(std::string_view value);
    OTF2_RegionRef function(operation value);
    OTF2_RegionRef phase(std::string_view name);
    /// Of a call site that is known. One of an unmodified program is looked up, once; what has no file and
    /// line then is a file of its text and line 0.
    OTF2_SourceCodeLocationRef place(call_site site);

    /// None if the trace does not know it.
    std::optional<OTF2_CommRef> communicator(communicator_id id) const;
    /// Is there such a rank in a communicator (of an intercommunicator: in the larger group)?
    bool has_rank(communicator_id id, int rank) const;
    /// Their identities, by number: parents before those that were made from them.
    std::vector<communicator_id> const& communicators() const noexcept { return communicators_; }

    /// Writes the definitions of the texts that have none yet, which come before what refers to them.
    void define_texts(OTF2_GlobalDefWriter* writer);
    /// Writes those of regions and of places. None can be asked for after that.
    void define_regions(OTF2_GlobalDefWriter* writer) const;

  private:
    struct region {
        OTF2_StringRef name;
        OTF2_RegionRole role;
        bool is_phase;
    };

    using place_in_source = std::pair<OTF2_StringRef, std::uint32_t>;

    OTF2_SourceCodeLocationRef place(std::string_view file, std::uint32_t line);
    OTF2_SourceCodeLocationRef look_up(std::string const& site);
    void add_communicator(traces::trace const& from, otf2_world const& world, communicator_id id);
    OTF2_RegionRef add(region const& made);

    std::unordered_map<std::string, OTF2_StringRef> texts_;
    std::vector<std::string const*> texts_by_number_;
    OTF2_StringRef undefined_text_ = 0;
    std::map<operation, OTF2_RegionRef> functions_;
    std::map<OTF2_StringRef, OTF2_RegionRef> phases_;
    std::vector<region> regions_;
    run const& from_;
    std::map<place_in_source, OTF2_SourceCodeLocationRef> places_;
    std::vector<place_in_source> places_by_number_;
    std::unordered_map<std::string, OTF2_SourceCodeLocationRef> looked_up_;
    std::map<communicator_id, OTF2_CommRef> communicator_numbers_;
    std::vector<communicator_id> communicators_;
    std::vector<std::size_t> communicator_sizes_;
    OTF2_StringRef none_;
};

}  // namespace mpiprof::inline v1::exports
