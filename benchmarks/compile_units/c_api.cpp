// A unit as programs on the C API have them: a field whose halo is exchanged with both neighbours, and its
// norm.
#ifdef PLAIN
#include <mpi.h>
namespace api {
inline constexpr auto* allreduce = &MPI_Allreduce;
inline constexpr auto* bcast = &MPI_Bcast;
inline constexpr auto* gather = &MPI_Gather;
inline constexpr auto* irecv = &MPI_Irecv;
inline constexpr auto* isend = &MPI_Isend;
inline constexpr auto* waitall = &MPI_Waitall;
}  // namespace api
#else
#include <mpiprof/raw.hpp>
namespace api = mpiprof::raw;
#endif

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

void check(int code) {
    if (code != MPI_SUCCESS) throw std::runtime_error{"MPI error " + std::to_string(code)};
}

class field {
  public:
    field(MPI_Comm comm, int cells) : comm_{comm}, values_(static_cast<std::size_t>(cells) + 2) {
        int rank = 0;
        int size = 0;
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &size);
        left_ = rank > 0 ? rank - 1 : MPI_PROC_NULL;
        right_ = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    }

    void exchange() {
        MPI_Request requests[4];
        auto const cells = values_.size() - 2;
        check(api::irecv(&values_[0], 1, MPI_DOUBLE, left_, 1, comm_, &requests[0]));
        check(api::irecv(&values_[cells + 1], 1, MPI_DOUBLE, right_, 2, comm_, &requests[1]));
        check(api::isend(&values_[1], 1, MPI_DOUBLE, left_, 2, comm_, &requests[2]));
        check(api::isend(&values_[cells], 1, MPI_DOUBLE, right_, 1, comm_, &requests[3]));
        check(api::waitall(4, requests, MPI_STATUSES_IGNORE));
    }

    void smooth() {
        auto const before = values_;
        for (std::size_t i = 1; i + 1 < values_.size(); ++i)
            values_[i] = (before[i - 1] + before[i] + before[i + 1]) / 3;
    }

    double norm() const {
        double const mine =
            std::inner_product(values_.begin() + 1, values_.end() - 1, values_.begin() + 1, 0.0);
        double sum = 0;
        check(api::allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, comm_));
        return std::sqrt(sum);
    }

    std::vector<double> largest(int ranks) const {
        double const mine = *std::max_element(values_.begin(), values_.end());
        std::vector<double> all(static_cast<std::size_t>(ranks));
        check(api::gather(&mine, 1, MPI_DOUBLE, all.data(), 1, MPI_DOUBLE, 0, comm_));
        return all;
    }

  private:
    MPI_Comm comm_;
    int left_;
    int right_;
    std::vector<double> values_;
};

std::map<std::string, int> settings(std::vector<std::string> const& arguments) {
    std::map<std::string, int> found{{"cells", 100}, {"steps", 10}};
    for (auto const& argument : arguments) {
        auto const equals = argument.find('=');
        if (equals == std::string::npos) throw std::invalid_argument{argument};
        found[argument.substr(0, equals)] = std::stoi(argument.substr(equals + 1));
    }
    return found;
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    auto const asked = settings({argv + 1, argv + argc});
    int sizes[2] = {asked.at("cells"), asked.at("steps")};
    check(api::bcast(sizes, 2, MPI_INT, 0, MPI_COMM_WORLD));
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    auto const values = std::make_unique<field>(MPI_COMM_WORLD, sizes[0]);
    for (int step = 0; step < sizes[1]; ++step) {
        values->exchange();
        values->smooth();
    }
    std::cout << values->norm() << ' ' << values->largest(ranks)[0] << '\n';
    return MPI_Finalize();
}
