#include <mpiprof/exports/format.hpp>
#include <mpiprof/exports/otf2_archive.hpp>
#include <mpiprof/exports/otf2_child.hpp>
#include <mpiprof/exports/otf2_definitions.hpp>
#include <mpiprof/exports/otf2_events.hpp>
#include <mpiprof/exports/otf2_folder.hpp>

#include <algorithm>
#include <fmt/format.h>

namespace mpiprof::inline v1::exports {

namespace {

/// Writes the events of all locations, then the definitions.
class archive_of_run {
  public:
    archive_of_run(run const& from, std::string const& folder)
        : from_{*from.trace},
          world_{from_},
          references_{from, world_},
          archive_{folder} {}

    void write() {
        for (std::size_t rank = 0; rank < from_.ranks().size(); ++rank) write_rank(rank);
        for (std::int64_t number = 0; number < world_.size(); ++number) {
            auto const* const rank = world_.rank(number);
            if (rank == nullptr || rank->threads.empty()) write_empty(number);
        }
        write_otf2_definitions(archive_.open_definitions(), from_, world_, locations_, references_, last_);
        archive_.close();
    }

  private:
    void write_rank(std::size_t rank) {
        otf2_requests const requests{from_, rank};
        auto const& its = from_.ranks()[rank];
        for (std::size_t thread = 0; thread < its.threads.size(); ++thread) {
            auto const number = otf2_location_of(its.number, thread);
            auto* const writer = archive_.open_events(number);
            otf2_events events{writer, references_, requests};
            events.write(from_, rank, thread);
            last_ = std::max(last_, events.last());
            locations_.push_back(
                {number, its.number, its.threads[thread].name, archive_.close_events(writer)});
        }
    }

    /// A location without events, of a rank that has no trace, or no thread in it.
    void write_empty(std::int64_t rank) {
        auto const number = otf2_location_of(rank, 0);
        auto const count = archive_.close_events(archive_.open_events(number));
        locations_.push_back({number, rank, "not traced", count});
    }

    traces::trace const& from_;
    otf2_world world_;
    otf2_references references_;
    otf2_archive archive_;
    std::vector<otf2_location> locations_;
    OTF2_TimeStamp last_ = 0;
};

void write_otf2(run const& from, std::string const& path) {
    try {
        otf2_folder folder{path};
        in_a_child([&] { archive_of_run{from, folder.beside()}.write(); });
        folder.replace();
    } catch (std::exception const& error) {
        throw std::runtime_error{fmt::format("cannot write the OTF2 archive '{}': {}", path, error.what())};
    }
}

}  // namespace

format const otf2{
    "otf2",
    "a folder with an OTF2 archive, traces.otf2, for Vampir, Scalasca, otf2-print",
    needs::trace,
    write_otf2,
};

}  // namespace mpiprof::inline v1::exports
