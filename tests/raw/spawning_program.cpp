// A program that starts two more processes of itself and sends an int to the second.
#include <filesystem>
#include <mpiprof/raw.hpp>

namespace raw = mpiprof::raw;

namespace {

constexpr int chosen = 1;

void parent(std::string const& program) {
    auto const world = mpiprof::profile(MPI_COMM_WORLD);
    MPI_Comm children = MPI_COMM_NULL;
    world.comm_spawn(program.c_str(), MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, &children, MPI_ERRCODES_IGNORE);
    int const value = 42;
    mpiprof::profile(children).send(&value, 1, MPI_INT, chosen, 0);
    raw::comm_disconnect(&children);
}

/// Says whether the right value came.
bool child(MPI_Comm parent) {
    auto const world = mpiprof::profile(MPI_COMM_WORLD);
    int value = 42;
    if (world.rank() == chosen) {
        value = 0;
        mpiprof::profile(parent).recv(&value, 1, MPI_INT, 0, 0, MPI_STATUS_IGNORE);
    }
    world.barrier();
    raw::comm_disconnect(&parent);
    return value == 42;
}

}  // namespace

int main(int argc, char** argv) {
    raw::init(&argc, &argv);
    MPI_Comm started_by = MPI_COMM_NULL;
    raw::comm_get_parent(&started_by);
    bool good = true;
    if (started_by == MPI_COMM_NULL) parent(std::filesystem::read_symlink("/proc/self/exe").string());
    else good = child(started_by);
    raw::finalize();
    return good ? 0 : 1;
}
