// Lists of rows. Compiling std::vector for each type of row takes every profiled unit seconds.
#pragma once

#include <mpiprof/results/fields.hpp>

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <utility>
#include <vector>

namespace mpiprof::inline v1::results {

/// Negative, 0 or positive as the first row lies before the second, with it, or after it.
using row_order = int (*)(void const*, void const*);

namespace detail {

/// Sorts rows, stably; `scratch` has room for them.
[[gnu::cold]] inline void sort(void** first, void** last, void** scratch, row_order order) {
    if (last - first < 2) return;
    auto* const middle = first + (last - first) / 2;
    sort(first, middle, scratch, order);
    sort(middle, last, scratch, order);
    auto* left = first;
    auto* right = middle;
    auto* out = scratch;
    while (left < middle || right < last) {
        bool const from_left = right == last || (left < middle && order(*left, *right) <= 0);
        *out++ = from_left ? *left++ : *right++;
    }
    while (first < last) *first++ = *scratch++;
}

}  // namespace detail

/// A list of rows, whatever their type. It owns them.
class row_list {
  public:
    std::size_t size() const noexcept { return rows_.size(); }
    bool empty() const noexcept { return rows_.empty(); }

    object object_at(std::size_t place) const noexcept { return {rows_[place], type_->describe}; }

    [[gnu::cold]] void clear() noexcept {
        for (auto* const row : rows_) type_->destroy(row);
        rows_.clear();
    }

    /// Appends an empty row.
    object append() { return {append_empty(), type_->describe}; }

    /// The rows in another order.
    [[gnu::cold]] std::vector<void*> sorted(row_order order) const {
        auto rows = rows_;
        auto scratch = rows_;
        detail::sort(rows.data(), rows.data() + rows.size(), scratch.data(), order);
        return rows;
    }

    /// Sorts the rows and merges those of one key, for which `order` is 0, in the order in which they stand.
    [[gnu::cold]] void combine(row_order order, void (*merge)(void* into, void const* from)) {
        rows_ = sorted(order);
        std::size_t kept = 0;
        // No row is ever in two places, nor lost: merging may find no memory.
        for (auto& row : rows_) {
            if (kept > 0 && order(rows_[kept - 1], row) == 0) {
                merge(rows_[kept - 1], row);
                type_->destroy(std::exchange(row, nullptr));
            } else {
                std::swap(rows_[kept++], row);
            }
        }
        rows_.resize(kept);
    }

  protected:
    /// What must be known of a type of rows.
    struct row_type {
        void* (*make)();
        void (*destroy)(void*);
        object::describe_function describe;
    };

    explicit row_list(row_type const& type) noexcept : type_{&type} {}
    row_list(row_list&& other) noexcept = default;
    ~row_list() { clear(); }

    void swap(row_list& other) noexcept { rows_.swap(other.rows_); }

    [[gnu::cold]] void* append_empty() {
        rows_.push_back(nullptr);
        return rows_.back() = type_->make();
    }

    [[gnu::cold]] void append_all_of(row_list& other) {
        rows_.reserve(rows_.size() + other.rows_.size());
        for (auto*& row : other.rows_) rows_.push_back(std::exchange(row, nullptr));
        other.rows_.clear();
    }

    void* const* data() const noexcept { return rows_.data(); }
    void* checked(std::size_t place) const { return rows_.at(place); }

  private:
    std::vector<void*> rows_;
    row_type const* type_;
};

/// A list of rows of one type, with what std::vector has of use for them.
template <class Row>
class rows : public row_list {
    template <class Value>
    class basic_iterator {
      public:
        using iterator_category = std::forward_iterator_tag;
        using value_type = Row;
        using difference_type = std::ptrdiff_t;
        using pointer = Value*;
        using reference = Value&;

        basic_iterator() = default;
        explicit basic_iterator(void* const* place) noexcept : place_{place} {}

        Value& operator*() const noexcept { return *static_cast<Value*>(*place_); }
        Value* operator->() const noexcept { return static_cast<Value*>(*place_); }
        basic_iterator& operator++() noexcept {
            ++place_;
            return *this;
        }
        basic_iterator operator++(int) noexcept { return basic_iterator{place_++}; }
        bool operator==(basic_iterator const&) const = default;

      private:
        void* const* place_ = nullptr;
    };

  public:
    using value_type = Row;
    using iterator = basic_iterator<Row>;
    using const_iterator = basic_iterator<Row const>;

    rows() noexcept : row_list{type} {}
    rows(std::initializer_list<Row> list) : rows{} {
        for (auto const& row : list) append() = row;
    }
    rows(rows const& other) : rows{} {
        for (auto const& row : other) append() = row;
    }
    rows(rows&&) noexcept = default;
    rows& operator=(rows other) noexcept {
        swap(other);
        return *this;
    }
    ~rows() = default;

    iterator begin() noexcept { return iterator{data()}; }
    iterator end() noexcept { return iterator{data() + size()}; }
    const_iterator begin() const noexcept { return const_iterator{data()}; }
    const_iterator end() const noexcept { return const_iterator{data() + size()}; }

    Row& operator[](std::size_t place) noexcept { return *static_cast<Row*>(data()[place]); }
    Row const& operator[](std::size_t place) const noexcept { return *static_cast<Row*>(data()[place]); }
    Row& at(std::size_t place) { return *static_cast<Row*>(checked(place)); }
    Row const& at(std::size_t place) const { return *static_cast<Row*>(checked(place)); }
    Row& front() noexcept { return (*this)[0]; }
    Row const& front() const noexcept { return (*this)[0]; }
    Row& back() noexcept { return (*this)[size() - 1]; }
    Row const& back() const noexcept { return (*this)[size() - 1]; }

    /// Appends an empty row.
    Row& append() { return *static_cast<Row*>(append_empty()); }
    void push_back(Row row) { append() = std::move(row); }

    /// Appends the rows of another list, which is empty then.
    void append_all_of(rows& other) { row_list::append_all_of(other); }

  private:
    static constexpr row_type type{[]() -> void* { return new Row(); },
                                   [](void* row) { delete static_cast<Row*>(row); },
                                   &object::describe_as<Row>};
};

}  // namespace mpiprof::inline v1::results
