#include <mpiprof/exports/otf2_definitions.hpp>

#include <mpiprof/exports/otf2_error.hpp>
#include <mpiprof/exports/otf2_events.hpp>

#include <fmt/format.h>

namespace mpiprof::inline v1::exports {

namespace {

constexpr OTF2_GroupRef locations_group = 0;
constexpr OTF2_GroupRef self_group = 1;
constexpr OTF2_SystemTreeNodeRef machine_node = 0;

struct attribute_row {
    otf2_attribute self;
    char const* name;
    char const* description;
    OTF2_Type type;
};

constexpr attribute_row attribute_rows[] = {
    {otf2_call_site, "call site", "where in the source the call stands", OTF2_TYPE_SOURCE_CODE_LOCATION},
    {otf2_repeats, "repeats", "tests or probes, one after the other, that found nothing", OTF2_TYPE_INT64},
    {otf2_failed, "failed", "the call failed", OTF2_TYPE_UINT8},
    {otf2_peer, "peer", "rank of the target", OTF2_TYPE_INT32},
    {otf2_sent, "sent", "bytes that were sent", OTF2_TYPE_INT64},
    {otf2_received, "received", "bytes that were received", OTF2_TYPE_INT64},
    {otf2_written, "written", "bytes that were written to the file", OTF2_TYPE_INT64},
    {otf2_read, "read", "bytes that were read from the file", OTF2_TYPE_INT64},
};

constexpr char const* words_of(traces::clock_knowledge known) noexcept {
    switch (known) {
    case traces::clock_knowledge::same:
        return "the same as rank 0's";
    case traces::clock_knowledge::measured:
        return "compared with rank 0's at start and end";
    case traces::clock_knowledge::no_drift:
        return "compared with rank 0's once, drift unknown";
    case traces::clock_knowledge::unknown:
        break;
    }
    return "never compared with rank 0's";
}

class definitions {
  public:
    definitions(OTF2_GlobalDefWriter* writer, traces::trace const& from, otf2_world const& world,
                otf2_references& references)
        : writer_{writer},
          from_{from},
          world_{world},
          references_{references} {}

    void clock(OTF2_TimeStamp last) {
        std::int64_t realtime = 0;
        if (!from_.ranks().empty()) realtime = from_.ranks().front().to_realtime;
        otf2_check(OTF2_GlobalDefWriter_WriteClockProperties(
            writer_, 1'000'000'000, 0, last,
            realtime > 0 ? static_cast<std::uint64_t>(realtime) : OTF2_UNDEFINED_TIMESTAMP));
    }

    void paradigms() {
        otf2_check(OTF2_GlobalDefWriter_WriteParadigm(writer_, OTF2_PARADIGM_MPI, text("MPI"),
                                                      OTF2_PARADIGM_CLASS_PROCESS));
        OTF2_AttributeValue pattern;
        pattern.stringRef = text("MPI Communicator ${id}");
        otf2_check(OTF2_GlobalDefWriter_WriteParadigmProperty(writer_, OTF2_PARADIGM_MPI,
                                                              OTF2_PARADIGM_PROPERTY_COMM_NAME_TEMPLATE,
                                                              OTF2_TYPE_STRING, pattern));
    }

    void attributes() {
        for (auto const& row : attribute_rows)
            otf2_check(OTF2_GlobalDefWriter_WriteAttribute(writer_, row.self, text(row.name),
                                                           text(row.description), row.type));
    }

    void machine() {
        node(machine_node, "machine", "machine", OTF2_UNDEFINED_SYSTEM_TREE_NODE,
             OTF2_SYSTEM_TREE_DOMAIN_MACHINE);
        for (auto const& rank : from_.ranks()) {
            auto const self = static_cast<OTF2_SystemTreeNodeRef>(hosts_.size() + 1);
            if (hosts_.emplace(rank.host, self).second)
                node(self, rank.host, "node", machine_node, OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY);
        }
    }

    void processes() {
        for (std::int64_t number = 0; number < world_.size(); ++number) {
            auto const self = static_cast<OTF2_LocationGroupRef>(number);
            auto const* const rank = world_.rank(number);
            auto const its_name =
                number == world_.unknown() ? "unknown rank" : fmt::format("rank {}", number);
            otf2_check(OTF2_GlobalDefWriter_WriteLocationGroup(
                writer_, self, text(its_name), OTF2_LOCATION_GROUP_TYPE_PROCESS,
                rank == nullptr ? machine_node : hosts_.at(rank->host), OTF2_UNDEFINED_LOCATION_GROUP));
            if (rank != nullptr) properties(self, *rank);
        }
    }

    void locations(std::vector<otf2_location> const& all) {
        for (auto const& each : all)
            otf2_check(OTF2_GlobalDefWriter_WriteLocation(writer_, each.number, text(each.name),
                                                          OTF2_LOCATION_TYPE_CPU_THREAD, each.events,
                                                          static_cast<OTF2_LocationGroupRef>(each.rank)));
    }

    void communicators() {
        std::vector<std::uint64_t> firsts;
        for (std::int64_t number = 0; number < world_.size(); ++number)
            firsts.push_back(otf2_location_of(number, 0));
        write_group(locations_group, OTF2_GROUP_TYPE_COMM_LOCATIONS, firsts);
        // Readers know by its type that it has one member, which differs from process to process.
        write_group(self_group, OTF2_GROUP_TYPE_COMM_SELF, {});
        for (auto const id : references_.communicators()) communicator(from_.communicators().at(id));
    }

  private:
    OTF2_StringRef text(std::string_view value) {
        auto const self = references_.text(value);
        references_.define_texts(writer_);
        return self;
    }

    void node(OTF2_SystemTreeNodeRef self, std::string_view its_name, std::string_view its_class,
              OTF2_SystemTreeNodeRef parent, OTF2_SystemTreeDomain domain) {
        otf2_check(
            OTF2_GlobalDefWriter_WriteSystemTreeNode(writer_, self, text(its_name), text(its_class), parent));
        otf2_check(OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(writer_, self, domain));
    }

    void properties(OTF2_LocationGroupRef self, traces::rank const& rank) {
        property(self, "mpiprof::CLOCK", words_of(rank.clock_known));
        if (rank.clock_error >= 0) property(self, "mpiprof::CLOCK_ERROR_NS", rank.clock_error);
        property(self, "mpiprof::DROPPED_RECORDS", rank.dropped);
        if (rank.unfinished) property(self, "mpiprof::UNFINISHED", "the rank did not reach the run's end");
    }

    void property(OTF2_LocationGroupRef group, char const* its_name, std::int64_t number) {
        OTF2_AttributeValue value;
        value.int64 = number;
        otf2_check(OTF2_GlobalDefWriter_WriteLocationGroupProperty(writer_, group, text(its_name),
                                                                   OTF2_TYPE_INT64, value));
    }

    void property(OTF2_LocationGroupRef group, char const* its_name, char const* words) {
        OTF2_AttributeValue value;
        value.stringRef = text(words);
        otf2_check(OTF2_GlobalDefWriter_WriteLocationGroupProperty(writer_, group, text(its_name),
                                                                   OTF2_TYPE_STRING, value));
    }

    void write_group(OTF2_GroupRef self, OTF2_GroupType type, std::vector<std::uint64_t> const& members) {
        otf2_check(OTF2_GlobalDefWriter_WriteGroup(
            writer_, self, text(""), type, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
            static_cast<std::uint32_t>(members.size()), members.data()));
    }

    /// A group of a communicator; groups of the same members are one.
    OTF2_GroupRef group(traces::communicator const& of, std::size_t which) {
        auto const members = world_.members(of, which);
        auto const self = static_cast<OTF2_GroupRef>(self_group + 1 + groups_.size());
        auto const [known, is_new] = groups_.emplace(members, self);
        if (is_new) write_group(self, OTF2_GROUP_TYPE_COMM_GROUP, members);
        return known->second;
    }

    void communicator(traces::communicator const& made) {
        auto const self = *references_.communicator(made.id);
        auto const its_name = text(made.name);
        if (made.is_inter()) {
            auto const one = group(made, 0);
            auto const other = group(made, 1);
            otf2_check(OTF2_GlobalDefWriter_WriteInterComm(writer_, self, its_name, one, other,
                                                           OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
            return;
        }
        bool const is_self = made.id == self_communicator;
        auto const members = is_self ? self_group : group(made, 0);
        auto const parent = references_.communicator(made.parent).value_or(OTF2_UNDEFINED_COMM);
        otf2_check(OTF2_GlobalDefWriter_WriteComm(writer_, self, its_name, members,
                                                  parent == self ? OTF2_UNDEFINED_COMM : parent,
                                                  OTF2_COMM_FLAG_NONE));
    }

    OTF2_GlobalDefWriter* writer_;
    traces::trace const& from_;
    otf2_world const& world_;
    otf2_references& references_;
    std::map<std::string, OTF2_SystemTreeNodeRef> hosts_;
    std::map<std::vector<std::uint64_t>, OTF2_GroupRef> groups_;
};

}  // namespace

void write_otf2_definitions(OTF2_GlobalDefWriter* writer, traces::trace const& from, otf2_world const& world,
                            std::vector<otf2_location> const& locations, otf2_references& references,
                            OTF2_TimeStamp last) {
    definitions all{writer, from, world, references};
    all.clock(last);
    all.paradigms();
    all.attributes();
    all.machine();
    all.processes();
    all.locations(locations);
    references.define_texts(writer);
    references.define_regions(writer);
    all.communicators();
}

}  // namespace mpiprof::inline v1::exports
