// Every function of the table was called: a row that is added without a scenario here fails.
#pragma once

#include <gtest/gtest.h>
#include <initializer_list>
#include <mpiprof/core/operation.hpp>
#include <string>
#include <vector>

namespace oracle {

/// At the end of a program, if all of its tests ran on several ranks: each function of these kinds that the
/// table has was called on some rank, but for those that are named.
class coverage : public testing::Environment {
  public:
    explicit coverage(std::initializer_list<mpiprof::kind> kinds,
                      std::initializer_list<mpiprof::operation> but_for = {})
        : kinds_{kinds},
          but_for_{but_for} {}

    void TearDown() override;

  private:
    bool is_tried(mpiprof::operation operation) const;

    std::vector<mpiprof::kind> kinds_;
    std::vector<mpiprof::operation> but_for_;
};

}  // namespace oracle
