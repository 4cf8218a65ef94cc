// The arguments of one call by role.
#pragma once

#include <mpiprof/raw/functions.hpp>

#include <tuple>

namespace mpiprof::inline v1::raw::detail {

/// The arguments of a call of `Row`'s function.
template <class Row, class... Arguments>
class arguments {
  public:
    /// May MPI be asked about them?
    static constexpr bool asks = true;

    explicit constexpr arguments(Arguments... values) noexcept : values_{values...} {}

    /// The argument with this role.
    template <role Role>
        requires(has<Row>(Role))
    constexpr auto get() const noexcept {
        return std::get<static_cast<std::size_t>(place_of<Row>(Role))>(values_);
    }

    /// Puts another value in the place of an argument.
    template <role Role, class Value>
        requires(has<Row>(Role))
    constexpr void set(Value value) noexcept {
        std::get<static_cast<std::size_t>(place_of<Row>(Role))>(values_) = value;
    }

    /// Calls function(arguments...).
    template <class Function>
    [[gnu::always_inline]] constexpr auto apply(Function function) const {
        return std::apply(function, values_);
    }

    /// The real call.
    int call() const { return std::apply(Row::function, values_); }

  private:
    std::tuple<Arguments...> values_;
};

/// Arguments about which MPI is asked nothing: what is not known is unknown.
template <class Row, class... Arguments>
class known_arguments : public arguments<Row, Arguments...> {
  public:
    static constexpr bool asks = false;
    using arguments<Row, Arguments...>::arguments;
};

/// Puts a status of ours in the place of an ignored one, where what arrived must be known.
template <role Role, class Arguments>
void substitute_status(Arguments& call, MPI_Status* own) noexcept {
    auto* const given = call.template get<Role>();
    if (given == MPI_STATUS_IGNORE) call.template set<Role>(own);
}

}  // namespace mpiprof::inline v1::raw::detail
