// Objects of the HDF5 library.
#pragma once

#include <mpiprof/core/config.hpp>

#include <hdf5/serial/hdf5.h>
#include <stdexcept>
#include <string>
#include <utility>

namespace mpiprof::inline v1::exports {

/// The system's own words in what the library says of an error, which has names, addresses and lines beside
/// them; else its first line.
inline std::string hdf5_reason(std::string const& said) {
    std::string const mark = "error message = '";
    auto const begin = said.find(mark);
    if (begin == std::string::npos) return "HDF5: " + said.substr(0, said.find('\n'));
    auto const text = said.substr(begin + mark.size());
    return text.substr(0, text.find('\''));
}

/// Throws std::runtime_error with what the library says of its last error if the result of one of its
/// functions tells of one; else returns it.
template <class Result>
Result hdf5_check(Result result) {
    if (result >= 0) return result;
    std::string text;
    auto const keep_first = [](unsigned place, H5E_error2_t const* error, void* into) -> herr_t {
        if (place == 0) *static_cast<std::string*>(into) = error->desc;
        return 0;
    };
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &text);
    throw std::runtime_error{hdf5_reason(text)};
}

/// A file, group, dataset, type, ... that is closed in the end.
class hdf5_handle {
  public:
    hdf5_handle(hid_t id, herr_t (*close)(hid_t)) : id_{hdf5_check(id)}, close_{close} {}
    hdf5_handle(hdf5_handle&& other) noexcept
        : id_{std::exchange(other.id_, H5I_INVALID_HID)},
          close_{other.close_} {}
    hdf5_handle& operator=(hdf5_handle&&) = delete;
    ~hdf5_handle() {
        if (id_ >= 0) close_(id_);
    }

    hid_t get() const noexcept { return id_; }

  private:
    hid_t id_;
    herr_t (*close_)(hid_t);
};

/// While it lives, the library does not print its errors.
class hdf5_quiet {
  public:
    hdf5_quiet() {
        // At the end of the process it would try again to write what could not be written, and print of that.
        H5dont_atexit();
        H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
        H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    }
    hdf5_quiet(hdf5_quiet const&) = delete;
    hdf5_quiet& operator=(hdf5_quiet const&) = delete;
    ~hdf5_quiet() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }

  private:
    H5E_auto2_t print_ = nullptr;
    void* data_ = nullptr;
};

inline hdf5_handle hdf5_group(hdf5_handle const& in, char const* name) {
    return {H5Gcreate2(in.get(), name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose};
}

}  // namespace mpiprof::inline v1::exports
