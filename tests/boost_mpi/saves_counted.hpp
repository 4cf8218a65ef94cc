// A value that tells how often it was serialised.
#pragma once

namespace boost_mpi_tests {

/// Counts how often it is saved.
struct saves_counted {
    static inline int saves = 0;

    template <class Archive>
    void serialize(Archive&, unsigned) {
        if (Archive::is_saving::value) ++saves;
    }
};

}  // namespace boost_mpi_tests
