// Described structs as bytes, from rank to rank of one job.
#pragma once

#include <mpiprof/core/config.hpp>

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace mpiprof::inline v1::results {

namespace detail {

class packer {
  public:
    explicit packer(std::vector<char>& out) : out_{out} {}

    void operator()(char const*, auto const& value) { put(value); }

  private:
    void put(std::int64_t value) {
        char bytes[sizeof value];
        std::memcpy(bytes, &value, sizeof value);
        out_.insert(out_.end(), bytes, bytes + sizeof value);
    }
    void put(double value) { put(std::bit_cast<std::int64_t>(value)); }
    void put(bool value) { put(std::int64_t{value}); }
    void put(std::string const& value) {
        put(static_cast<std::int64_t>(value.size()));
        out_.insert(out_.end(), value.begin(), value.end());
    }
    template <class Row>
    void put(std::vector<Row> const& rows) {
        put(static_cast<std::int64_t>(rows.size()));
        for (auto const& row : rows) put(row);
    }
    template <class Struct>
    void put(Struct const& value) {
        Struct::describe(value, *this);
    }

    std::vector<char>& out_;
};

class unpacker {
  public:
    unpacker(char const* first, std::size_t size) : next_{first}, left_{size} {}

    void operator()(char const*, auto& value) { get(value); }
    bool complete() const { return valid_ && left_ == 0; }

  private:
    void get(std::int64_t& value) {
        if (!available(sizeof value)) return;
        std::memcpy(&value, next_, sizeof value);
        advance(sizeof value);
    }
    void get(double& value) {
        std::int64_t bits = 0;
        get(bits);
        value = std::bit_cast<double>(bits);
    }
    void get(bool& value) {
        std::int64_t number = 0;
        get(number);
        value = number != 0;
    }
    void get(std::string& value) {
        auto const size = get_size();
        if (!available(size)) return;
        value.assign(next_, size);
        advance(size);
    }
    template <class Row>
    void get(std::vector<Row>& rows) {
        // Every row takes at least a byte, so a wrong count cannot ask for more memory than there are bytes.
        auto const count = get_size();
        if (!available(count)) return;
        rows.resize(count);
        for (auto& row : rows) get(row);
    }
    template <class Struct>
    void get(Struct& value) {
        Struct::describe(value, *this);
    }

    std::size_t get_size() {
        std::int64_t size = 0;
        get(size);
        if (size < 0) valid_ = false;
        return valid_ ? static_cast<std::size_t>(size) : 0;
    }
    bool available(std::size_t size) {
        if (size > left_) valid_ = false;
        return valid_;
    }
    void advance(std::size_t size) {
        next_ += size;
        left_ -= size;
    }

    char const* next_;
    std::size_t left_;
    bool valid_ = true;
};

}  // namespace detail

/// The struct's fields in order, in the byte order of this machine.
template <class Struct>
std::vector<char> pack(Struct const& value) {
    std::vector<char> bytes;
    detail::packer put{bytes};
    Struct::describe(value, put);
    return bytes;
}

/// Reads what `pack` wrote. False, with `value` partly filled, when the bytes are not a packed Struct.
template <class Struct>
bool unpack(Struct& value, char const* first, std::size_t size) {
    detail::unpacker get{first, size};
    Struct::describe(value, get);
    return get.complete();
}

}  // namespace mpiprof::inline v1::results
