// Datatypes whose size is not their extent, each with the bytes that it must count for.
#pragma once

#include <cstddef>
#include <mpi.h>

namespace oracle {

/// A datatype that is committed and freed.
class datatype {
  public:
    explicit datatype(MPI_Datatype made) : made_{made} { PMPI_Type_commit(&made_); }
    datatype(datatype const&) = delete;
    datatype& operator=(datatype const&) = delete;
    ~datatype() {
        if (made_ != MPI_DATATYPE_NULL) PMPI_Type_free(&made_);
    }

    operator MPI_Datatype() const { return made_; }

  private:
    MPI_Datatype made_;
};

/// `count` ints in a row.
inline MPI_Datatype ints(int count) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    PMPI_Type_contiguous(count, MPI_INT, &made);
    return made;
}

/// Three ints with three unused between each: 12 bytes over 36.
inline MPI_Datatype ints_with_gaps() {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    PMPI_Type_vector(3, 1, 4, MPI_INT, &made);
    return made;
}

/// An int in 64 bytes of its own.
inline MPI_Datatype lonely_int() {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    PMPI_Type_create_resized(MPI_INT, 0, 64, &made);
    return made;
}

/// struct { int; double; }: 12 bytes over 16.
inline MPI_Datatype padded_struct() {
    struct padded {
        int first;
        double second;
    };
    int const lengths[] = {1, 1};
    MPI_Aint const places[] = {offsetof(padded, first), offsetof(padded, second)};
    MPI_Datatype const types[] = {MPI_INT, MPI_DOUBLE};
    MPI_Datatype made = MPI_DATATYPE_NULL;
    PMPI_Type_create_struct(2, lengths, places, types, &made);
    return made;
}

/// A message of some datatype, and its payload.
struct layout {
    MPI_Datatype type;
    int count;
    long long nbytes;
};

/// Derived types and plain ones, of some elements and of none.
class layouts {
  public:
    auto const& all() const { return all_; }

  private:
    datatype gaps_{ints_with_gaps()};
    datatype lonely_{lonely_int()};
    datatype padded_{padded_struct()};
    layout all_[6] = {{MPI_INT, 5, 20}, {MPI_DOUBLE, 2, 16}, {gaps_, 2, 24},
                      {lonely_, 3, 12}, {padded_, 3, 36},    {padded_, 0, 0}};
};

}  // namespace oracle
