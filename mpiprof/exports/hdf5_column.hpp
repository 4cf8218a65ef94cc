// Values in HDF5 files.
#pragma once

#include <mpiprof/exports/hdf5_handle.hpp>

#include <cstdint>
#include <vector>

namespace mpiprof::inline v1::exports {

// The types that values of a type have in memory, and in the file.

inline hdf5_handle hdf5_type(std::int8_t const*) { return {H5Tcopy(H5T_NATIVE_INT8), H5Tclose}; }
inline hdf5_handle hdf5_type(std::uint32_t const*) { return {H5Tcopy(H5T_NATIVE_UINT32), H5Tclose}; }
inline hdf5_handle hdf5_type(std::uint64_t const*) { return {H5Tcopy(H5T_NATIVE_UINT64), H5Tclose}; }
inline hdf5_handle hdf5_type(std::int64_t const*) { return {H5Tcopy(H5T_NATIVE_INT64), H5Tclose}; }
/// Text of any length in UTF-8.
inline hdf5_handle hdf5_type(char const* const*) {
    hdf5_handle type{H5Tcopy(H5T_C_S1), H5Tclose};
    hdf5_check(H5Tset_size(type.get(), H5T_VARIABLE));
    hdf5_check(H5Tset_cset(type.get(), H5T_CSET_UTF8));
    return type;
}

template <class Value>
void set_hdf5_attribute(hdf5_handle const& object, char const* name, Value value) {
    auto const type = hdf5_type(static_cast<Value const*>(nullptr));
    hdf5_handle const space{H5Screate(H5S_SCALAR), H5Sclose};
    hdf5_handle const attribute{
        H5Acreate2(object.get(), name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose};
    hdf5_check(H5Awrite(attribute.get(), type.get(), &value));
}

/// A dataset of one dimension that grows at its end, in chunks of `chunk` values.
template <class Value>
class hdf5_column {
  public:
    hdf5_column(hdf5_handle const& group, char const* name, hsize_t chunk)
        : type_{hdf5_type(static_cast<Value const*>(nullptr))},
          data_{made(group, name, type_, chunk)} {}

    void append(std::vector<Value> const& values) {
        if (values.empty()) return;
        hsize_t const count = values.size();
        hsize_t const before = size_;
        size_ += count;
        hdf5_check(H5Dset_extent(data_.get(), &size_));
        hdf5_handle const in_file{H5Dget_space(data_.get()), H5Sclose};
        hdf5_check(H5Sselect_hyperslab(in_file.get(), H5S_SELECT_SET, &before, nullptr, &count, nullptr));
        hdf5_handle const in_memory{H5Screate_simple(1, &count, nullptr), H5Sclose};
        hdf5_check(
            H5Dwrite(data_.get(), type_.get(), in_memory.get(), in_file.get(), H5P_DEFAULT, values.data()));
    }

    std::uint64_t size() const noexcept { return size_; }

  private:
    static hdf5_handle made(hdf5_handle const& group, char const* name, hdf5_handle const& type,
                            hsize_t chunk) {
        hsize_t const none = 0;
        hsize_t const unlimited = H5S_UNLIMITED;
        hdf5_handle const space{H5Screate_simple(1, &none, &unlimited), H5Sclose};
        hdf5_handle const properties{H5Pcreate(H5P_DATASET_CREATE), H5Pclose};
        hdf5_check(H5Pset_chunk(properties.get(), 1, &chunk));
        hdf5_check(H5Pset_shuffle(properties.get()));
        hdf5_check(H5Pset_deflate(properties.get(), 4));
        return {H5Dcreate2(group.get(), name, type.get(), space.get(), H5P_DEFAULT, properties.get(),
                           H5P_DEFAULT),
                H5Dclose};
    }

    hdf5_handle type_;
    hdf5_handle data_;
    hsize_t size_ = 0;
};

}  // namespace mpiprof::inline v1::exports
