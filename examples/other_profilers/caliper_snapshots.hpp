// MPI calls as snapshots of Caliper.
#pragma once

#include <caliper/cali.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// For mpiprof::sinks::region. Each call is a record with its region, begin and duration.
class caliper_snapshots {
  public:
    /// The name, which Caliper is given again with each call.
    std::string const* define(std::string_view name) noexcept {
        return names_.emplace_back(std::make_unique<std::string>(name)).get();
    }

    void begin(std::string const*, std::int64_t time) noexcept { begin_ = time; }

    void end(std::string const* region, std::int64_t time) noexcept {
        cali_id_t const attributes[] = {region_, start_, duration_};
        cali_variant_t const values[] = {
            cali_make_variant(CALI_TYPE_STRING, region->data(), region->size()),
            cali_make_variant_from_uint(static_cast<std::uint64_t>(begin_)),
            cali_make_variant_from_uint(static_cast<std::uint64_t>(time - begin_)),
        };
        cali_push_snapshot(CALI_SCOPE_THREAD, 3, attributes, values);
    }

  private:
    /// A thread's begin and end come one after the other.
    static inline thread_local std::int64_t begin_ = 0;

    cali_id_t region_ = cali_create_attribute("mpi.region", CALI_TYPE_STRING, CALI_ATTR_DEFAULT);
    cali_id_t start_ = cali_create_attribute("mpi.start_ns", CALI_TYPE_UINT, CALI_ATTR_ASVALUE);
    cali_id_t duration_ = cali_create_attribute("mpi.duration_ns", CALI_TYPE_UINT, CALI_ATTR_ASVALUE);
    std::vector<std::unique_ptr<std::string>> names_;
};
