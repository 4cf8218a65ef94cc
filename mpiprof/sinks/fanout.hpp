// Several sinks as one.
#pragma once

#include <mpiprof/core/concepts.hpp>
#include <mpiprof/sinks/shard_memory.hpp>
#include <mpiprof/sinks/trace_memory.hpp>
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
#include <string>
#include <string_view>
#include <utility>

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
inline constexpr bool traces = requires(Sink& value, trace_memory& memory) { value.keep_trace_in(memory); };

template <class Sink>
inline constexpr bool sees_phases = requires(Sink& value, phase_id phase) {
    value.begin(phase, std::int64_t{}), value.end(phase, std::int64_t{});
};

template <class Sink>
inline constexpr bool only_on_request = requires { requires Sink::only_on_request; };

template <class Sink>
inline constexpr bool sees_open_calls =
    requires(Sink& value, operation which, call_site site) { value.open_call(which, site); };

}  // namespace detail

/// Hands each record to all of its sinks, in order:
///
///     using both = mpiprof::sinks::fanout<mpiprof::sinks::summary, mpiprof::sinks::tally>;
///
/// `MPIPROF=sinks=NAME+NAME` picks among them for a run; the others stay empty. Without that, all get records
/// but those that are `on_request`.
template <sink First, sink... Others>
    requires(sizeof...(Others) < 32)
class fanout {
  public:
    static constexpr char const* name = detail::joined_names_of<First, Others...>.data();

    [[gnu::always_inline]] void record(call const& record) noexcept {
        auto const picked = picked_.load(std::memory_order_relaxed);
        if constexpr (quick_sink<First>) {
            if ((picked & 1) != 0 && first().record_quickly(record)) {
                if (picked != 1) record_in_rest(record, picked, std::index_sequence_for<Others...>{});
                return;
            }
        }
        // A copy, since the record itself would have to be in memory all the time.
        call const copy{record};
        record_in_all(copy);
    }

    /// As of the first sink, where no other one gets records; else it does nothing and returns false.
    [[gnu::always_inline]] bool record_quickly(call const& record) noexcept
        requires(quick_sink<First>)
    {
        return picked_.load(std::memory_order_relaxed) == 1 && first().record_quickly(record);
    }

    [[gnu::always_inline]] void complete(completion const& record) noexcept
        requires(completion_sink<First> || (completion_sink<Others> || ...))
    {
        auto const picked = picked_.load(std::memory_order_relaxed);
        if constexpr (completion_sink<First>) {
            if ((picked & 1) != 0) first().complete(record);
        }
        if (picked != 1) complete_in_rest(record, picked, std::index_sequence_for<Others...>{});
    }

    /// Of those sinks that want to know of phases.
    void begin(phase_id phase, std::int64_t time) noexcept
        requires(detail::sees_phases<First> || (detail::sees_phases<Others> || ...))
    {
        for_each_picked([&]<class Sink>(Sink& each) {
            if constexpr (detail::sees_phases<Sink>) each.begin(phase, time);
        });
    }
    void end(phase_id phase, std::int64_t time) noexcept
        requires(detail::sees_phases<First> || (detail::sees_phases<Others> || ...))
    {
        for_each_picked([&]<class Sink>(Sink& each) {
            if constexpr (detail::sees_phases<Sink>) each.end(phase, time);
        });
    }

    /// Of those sinks that want to know of calls before they begin.
    void enter(operation which, communicator_id communicator) noexcept
        requires(live_sink<First> || (live_sink<Others> || ...))
    {
        for_each_picked([&]<class Sink>(Sink& each) {
            if constexpr (live_sink<Sink>) each.enter(which, communicator);
        });
    }
    void leave() noexcept
        requires(live_sink<First> || (live_sink<Others> || ...))
    {
        for_each_picked([&]<class Sink>(Sink& each) {
            if constexpr (live_sink<Sink>) each.leave();
        });
    }

    /// The sink of this type; the first one, if there are several.
    template <class Sink>
    Sink& get() noexcept {
        return boost::hana::at_c<first_of({std::same_as<Sink, First>, std::same_as<Sink, Others>...})>(
            sinks_);
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

    /// The names of the sinks that get records, '+' between them.
    std::string picked_names() const {
        std::string names;
        static_cast<void>(picks([&]<class Sink>(Sink const&) {
            names.append(names.empty() ? "" : "+").append(Sink::name);
            return false;
        }));
        return names;
    }

    /// Does any sink get records that `is(sink)` holds for?
    template <class Predicate>
    bool picks(Predicate is) const {
        bool found = false;
        auto const picked = picked_.load(std::memory_order_relaxed);
        std::uint32_t bit = 1;
        for_each([&](auto const& each) {
            found |= (picked & bit) != 0 && is(each);
            bit <<= 1;
        });
        return found;
    }

    /// As of sinks::summary, for the first sink that shows open calls.
    counter* open_call(operation which, call_site site) noexcept
        requires(detail::sees_open_calls<First> || (detail::sees_open_calls<Others> || ...))
    {
        return boost::hana::at_c<first_of(
            {detail::sees_open_calls<First>, detail::sees_open_calls<Others>...})>(sinks_)
            .open_call(which, site);
    }

    /// Of the first sink that has shards; a profile is made of them.
    void keep_shards_in(shard_memory& memory) noexcept
        requires(detail::has_shards<First> || (detail::has_shards<Others> || ...))
    {
        with_shards().keep_shards_in(memory);
    }
    template <class Visitor>
    void for_each_shard(Visitor visit) const
        requires(detail::has_shards<First> || (detail::has_shards<Others> || ...))
    {
        with_shards().for_each_shard(visit);
    }
    std::int64_t lost() const noexcept
        requires(detail::has_shards<First> || (detail::has_shards<Others> || ...))
    {
        return with_shards().lost();
    }

    /// Of the first sink that traces.
    bool keep_trace_in(trace_memory& memory) noexcept
        requires(detail::traces<First> || (detail::traces<Others> || ...))
    {
        return tracing().keep_trace_in(memory);
    }
    void refresh() noexcept
        requires(detail::traces<First> || (detail::traces<Others> || ...))
    {
        tracing().refresh();
    }
    auto& store() noexcept
        requires(detail::traces<First> || (detail::traces<Others> || ...))
    {
        return tracing().store();
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
    auto& tracing() noexcept {
        return boost::hana::at_c<first_of({detail::traces<First>, detail::traces<Others>...})>(sinks_);
    }

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
        return boost::hana::at_c<first_of({detail::has_shards<First>, detail::has_shards<Others>...})>(
            sinks_);
    }
    auto& with_shards() noexcept {
        return boost::hana::at_c<first_of({detail::has_shards<First>, detail::has_shards<Others>...})>(
            sinks_);
    }

    First& first() noexcept { return boost::hana::at_c<0>(sinks_); }

    [[gnu::cold, gnu::noinline]] void record_in_all(call const& record) noexcept {
        for_each_picked([&](auto& each) { each.record(record); });
    }

    // Written out, since lambdas in functions of Hana's are not sure to be inlined, and the record is to stay
    // in registers.

    template <std::size_t... Number>
    [[gnu::always_inline]] void record_in_rest(call const& record, std::uint32_t picked,
                                               std::index_sequence<Number...>) noexcept {
        ((picked & (2U << Number) ? boost::hana::at_c<Number + 1>(sinks_).record(record) : void()), ...);
    }

    template <std::size_t... Number>
    [[gnu::always_inline]] void complete_in_rest(completion const& record, std::uint32_t picked,
                                                 std::index_sequence<Number...>) noexcept {
        (
            [&]<class Sink>(Sink& each) __attribute__((always_inline)) {
                if constexpr (completion_sink<Sink>) {
                    if ((picked & (2U << Number)) != 0) each.complete(record);
                }
            }(boost::hana::at_c<Number + 1>(sinks_)),
            ...);
    }

    /// The bits of the sinks that get records unless others are picked.
    static constexpr std::uint32_t picked_at_first() noexcept {
        std::uint32_t picked = 0;
        std::uint32_t bit = 1;
        for (bool const waits : {detail::only_on_request<First>, detail::only_on_request<Others>...}) {
            if (!waits) picked |= bit;
            bit <<= 1;
        }
        return picked;
    }

    template <class Visitor>
    void for_each_picked(Visitor visit) noexcept {
        auto const picked = picked_.load(std::memory_order_relaxed);
        std::uint32_t bit = 1;
        for_each([&](auto& each) {
            if ((picked & bit) != 0) visit(each);
            bit <<= 1;
        });
    }

    boost::hana::tuple<First, Others...> sinks_;
    std::atomic<std::uint32_t> picked_{picked_at_first()};
};

}  // namespace mpiprof::inline v1::sinks
