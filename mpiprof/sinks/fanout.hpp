// Several sinks as one.
#pragma once

#include <mpiprof/core/concepts.hpp>
#include <mpiprof/sinks/shard_memory.hpp>
// Its sinks must be complete; the umbrellas see to it only where something is recorded.
#include <mpiprof/sinks/summary.hpp>
#include <mpiprof/sinks/tally.hpp>

#include <array>
#include <atomic>
#include <boost/hana/for_each.hpp>
#include <boost/hana/tuple.hpp>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace mpiprof::inline v1::sinks {

namespace detail {

/// The sinks' names with '+' between them, terminated.
template <class... Sinks>
constexpr auto joined_names() noexcept {
    constexpr std::size_t size = (std::string_view{Sinks::name}.size() + ... + sizeof...(Sinks));
    std::array<char, size> text{};
    std::size_t at = 0;
    auto const append = [&](std::string_view name) {
        if (at > 0) text[at++] = '+';
        for (auto const character : name) text[at++] = character;
    };
    (append(Sinks::name), ...);
    return text;
}

template <class... Sinks>
inline constexpr auto joined_names_of = joined_names<Sinks...>();

template <class Sink>
inline constexpr bool has_shards =
    requires(Sink& value, shard_memory& memory) { value.keep_shards_in(memory); };

template <class Sink>
inline constexpr bool sees_open_calls =
    requires(Sink& value, operation which, call_site site) { value.open_call(which, site); };

}  // namespace detail

/// Hands each record to all of its sinks, in order:
///
///     using both = mpiprof::sinks::fanout<mpiprof::sinks::summary, mpiprof::sinks::tally>;
///
/// `MPIPROF=sinks=NAME+NAME` picks among them for a run; the others stay empty.
template <sink... Sinks>
    requires(sizeof...(Sinks) > 0 && sizeof...(Sinks) <= 32)
class fanout {
  public:
    static constexpr char const* name = detail::joined_names_of<Sinks...>.data();

    void record(call const& record) noexcept {
        for_each_picked([&](auto& each) { each.record(record); });
    }

    void complete(completion const& record) noexcept
        requires(completion_sink<Sinks> || ...)
    {
        for_each_picked([&]<class Sink>(Sink& each) {
            if constexpr (completion_sink<Sink>) each.complete(record);
        });
    }

    /// The sink of this type; the first one, if there are several.
    template <class Sink>
    Sink& get() noexcept {
        return boost::hana::at_c<first_of({std::same_as<Sink, Sinks>...})>(sinks_);
    }

    /// Only sinks for which `wanted(name)` holds get records from now on.
    template <class Predicate>
    void pick(Predicate wanted) {
        std::uint32_t picked = 0;
        std::uint32_t bit = 1;
        for_each([&]<class Sink>(Sink const&) {
            if (wanted(std::string_view{Sink::name})) picked |= bit;
            bit <<= 1;
        });
        picked_.store(picked, std::memory_order_relaxed);
    }

    /// As of sinks::summary, for the first sink that shows open calls.
    counter* open_call(operation which, call_site site) noexcept
        requires(detail::sees_open_calls<Sinks> || ...)
    {
        return boost::hana::at_c<first_of({detail::sees_open_calls<Sinks>...})>(sinks_).open_call(which,
                                                                                                  site);
    }

    /// Of the first sink that has shards; a profile is made of them.
    void keep_shards_in(shard_memory& memory) noexcept
        requires(detail::has_shards<Sinks> || ...)
    {
        with_shards().keep_shards_in(memory);
    }
    template <class Visitor>
    void for_each_shard(Visitor visit) const
        requires(detail::has_shards<Sinks> || ...)
    {
        with_shards().for_each_shard(visit);
    }
    std::int64_t lost() const noexcept
        requires(detail::has_shards<Sinks> || ...)
    {
        return with_shards().lost();
    }

    /// Of those sinks that can forget what they recorded.
    void reset() noexcept {
        for_each([](auto& each) {
            if constexpr (requires { each.reset(); }) each.reset();
        });
    }

    /// Calls visit(sink) for each sink, picked or not.
    template <class Visitor>
    void for_each(Visitor visit) {
        boost::hana::for_each(sinks_, visit);
    }
    template <class Visitor>
    void for_each(Visitor visit) const {
        boost::hana::for_each(sinks_, visit);
    }

  private:
    /// The place of the first of these that is true.
    static constexpr std::size_t first_of(std::initializer_list<bool> values) noexcept {
        std::size_t place = 0;
        for (auto const value : values) {
            if (value) break;
            ++place;
        }
        return place;
    }

    auto const& with_shards() const noexcept {
        return boost::hana::at_c<first_of({detail::has_shards<Sinks>...})>(sinks_);
    }
    auto& with_shards() noexcept {
        return boost::hana::at_c<first_of({detail::has_shards<Sinks>...})>(sinks_);
    }

    template <class Visitor>
    [[gnu::always_inline]] void for_each_picked(Visitor visit) noexcept {
        auto const picked = picked_.load(std::memory_order_relaxed);
        std::uint32_t bit = 1;
        for_each([&](auto& each) {
            if ((picked & bit) != 0) visit(each);
            bit <<= 1;
        });
    }

    boost::hana::tuple<Sinks...> sinks_;
    std::atomic<std::uint32_t> picked_{UINT32_MAX};
};

}  // namespace mpiprof::inline v1::sinks
