// Lists of types, and all combinations of three of them.
#pragma once

namespace benchmarks {

template <class... Types>
struct type_list {
    /// Calls visit.template operator()<Type>() for each type.
    template <class Visitor>
    static void for_each(Visitor visit) {
        (visit.template operator()<Types>(), ...);
    }
};

/// Calls visit.template operator()<A, B, C>() for each combination of the lists' types.
template <class As, class Bs, class Cs, class Visitor>
void for_each_combination(Visitor visit) {
    As::for_each([&]<class A> {
        Bs::for_each([&]<class B> { Cs::for_each([&]<class C> { visit.template operator()<A, B, C>(); }); });
    });
}

}  // namespace benchmarks
