// Profiles as bytes, from rank to rank of one job.
#pragma once

#include <mpiprof/results/profile.hpp>

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace mpiprof::inline v1::results {

namespace detail {

class packer final : public field_visitor {
  public:
    explicit packer(std::string& out) : out_{out} {}

    [[gnu::cold]] void operator()(char const*, std::int64_t& value) override { put(value); }
    [[gnu::cold]] void operator()(char const*, double& value) override {
        put(std::bit_cast<std::int64_t>(value));
    }
    [[gnu::cold]] void operator()(char const*, bool& value) override { put(value); }
    [[gnu::cold]] void operator()(char const*, std::string& value) override {
        put(static_cast<std::int64_t>(value.size()));
        out_ += value;
    }
    [[gnu::cold]] void operator()(char const*, std::vector<std::int64_t>& numbers) override {
        put(static_cast<std::int64_t>(numbers.size()));
        for (auto const number : numbers) put(number);
    }
    [[gnu::cold]] void operator()(char const*, object value) override { value.visit(*this); }
    [[gnu::cold]] void operator()(char const*, row_list& rows) override {
        put(static_cast<std::int64_t>(rows.size()));
        for (std::size_t i = 0; i < rows.size(); ++i) rows.object_at(i).visit(*this);
    }

  private:
    [[gnu::cold]] void put(std::int64_t value) {
        out_.append(reinterpret_cast<char const*>(&value), sizeof value);
    }

    std::string& out_;
};

class unpacker final : public field_visitor {
  public:
    unpacker(char const* first, std::size_t size) : next_{first}, left_{size} {}

    bool complete() const { return valid_ && left_ == 0; }

    [[gnu::cold]] void operator()(char const*, std::int64_t& value) override { value = get(); }
    [[gnu::cold]] void operator()(char const*, double& value) override {
        value = std::bit_cast<double>(get());
    }
    [[gnu::cold]] void operator()(char const*, bool& value) override { value = get() != 0; }
    [[gnu::cold]] void operator()(char const*, std::string& value) override {
        auto const size = get_size();
        value.assign(next_, size);
        advance(size);
    }
    [[gnu::cold]] void operator()(char const*, std::vector<std::int64_t>& numbers) override {
        numbers.resize(get_size());
        for (auto& number : numbers) number = get();
    }
    [[gnu::cold]] void operator()(char const*, object value) override { value.visit(*this); }
    [[gnu::cold]] void operator()(char const*, row_list& rows) override {
        rows.clear();
        for (auto count = get_size(); count > 0 && valid_; --count) rows.append().visit(*this);
    }

  private:
    /// 0 where there is no number.
    [[gnu::cold]] std::int64_t get() {
        std::int64_t value = 0;
        if (left_ < sizeof value) valid_ = false;
        if (!valid_) return 0;
        std::memcpy(&value, next_, sizeof value);
        advance(sizeof value);
        return value;
    }
    /// How many of what takes at least a byte each, so that a wrong size asks for no more than there is.
    [[gnu::cold]] std::size_t get_size() {
        auto const size = static_cast<std::uint64_t>(get());
        if (size > left_) valid_ = false;
        return valid_ ? size : 0;
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

/// The profile's fields in order, in the byte order of this machine.
[[gnu::cold]] inline std::string pack(profile const& run) {
    std::string bytes;
    detail::packer put{bytes};
    object::to_read(run).visit(put);
    return bytes;
}

/// Reads what `pack` wrote. False, with `run` partly filled, when the bytes are not a packed profile.
[[gnu::cold]] inline bool unpack(profile& run, char const* first, std::size_t size) {
    detail::unpacker get{first, size};
    run.describe(get);
    return get.complete();
}

}  // namespace mpiprof::inline v1::results
