// An archive that tells how large others become.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/core/config.hpp>

#include <boost/archive/detail/common_oarchive.hpp>
#include <boost/archive/impl/archive_serializer_map.ipp>
#include <boost/mpl/apply.hpp>
#include <boost/version.hpp>
#include <cstddef>
#include <string>
#include <type_traits>

namespace mpiprof::inline v1::boost_mpi {

/// Counts, to the byte, what boost::mpi::packed_oarchive would hold of the values saved into it, and copies
/// none of them. It needs no MPI at run time, and is for one thread at a time.
///
///     size_oarchive archive;
///     archive << one << another;
///     archive.size();   // bytes of a packed_oarchive that has both
///
/// Tracking and class information are counted as this program's packed_oarchive writes them: they depend on
/// what was saved before into the same archive, and on which classes the program packs by pointer anywhere.
///
/// What it cannot count:
/// - Objects of a class that no source exports (BOOST_CLASS_EXPORT, BOOST_CLASS_EXPORT_IMPLEMENT) while it
///   includes this header, by a pointer to their base: boost::archive::archive_exception, unregistered_class.
///   It may be included before or after the macro.
/// - Types whose `serialize` is instantiated in another source, for packed_oarchive only: they do not link
///   until it is instantiated for size_oarchive too. One that saves something else into each kind of archive
///   is counted as what it saves here.
/// - Tracking of an object whose class is packed by pointer nowhere, but counted by pointer: as if untracked.
class size_oarchive : public boost::archive::detail::common_oarchive<size_oarchive> {
    using base = boost::archive::detail::common_oarchive<size_oarchive>;
    friend class boost::archive::detail::interface_oarchive<size_oarchive>;
    friend class boost::archive::save_access;

    static_assert(std::is_base_of_v<boost::mpi::binary_buffer_oprimitive, boost::mpi::packed_oarchive>,
                  "in a heterogeneous Boost.MPI it is MPI_Pack that decides on the sizes");

  public:
    /// Which arrays Boost saves in one piece.
    using use_array_optimization = boost::mpi::packed_oarchive::use_array_optimization;

    size_oarchive() : base(boost::archive::no_header) {}

    /// Bytes so far.
    std::size_t size() const noexcept { return size_; }

    /// Called by Boost.Serialization for binary objects and optimised arrays.
    void save_binary(void const*, std::size_t nbytes) { size_ += nbytes; }
    template <class T>
    void save_array(boost::serialization::array_wrapper<T> const& array, unsigned /* version */) {
        size_ += array.count() * sizeof(T);
    }

  private:
    std::size_t size_ = 0;

    template <class T>
    void save_override(T const& value) {
        if constexpr (boost::mpl::apply1<use_array_optimization, T>::type::value) save(value);
        else base::save_override(value);
    }

    // Boost's own entries, as packed_oarchive writes them.
    void save_override(boost::archive::class_id_optional_type const&) {}
    void save_override(boost::archive::class_name_type const& name) { save_string(name.size()); }
    void save_override(boost::archive::class_id_type const&) { size_ += sizeof(boost::int_least16_t); }
    void save_override(boost::archive::version_type const&) { size_ += sizeof(boost::int_least8_t); }

    template <class T>
    void save(T const&) {
        size_ += sizeof(T);
    }
    template <class Character>
    void save(std::basic_string<Character> const& text) {
        // Before 1.83, Boost.MPI saves as many bytes as there are characters.
        save_string(text.size() * (BOOST_VERSION < 108300 ? 1 : sizeof(Character)));
    }
    void save_string(std::size_t nbytes) { size_ += sizeof(unsigned) + nbytes; }
};

}  // namespace mpiprof::inline v1::boost_mpi

namespace boost::archive::detail {

/// Tells a size_oarchive about a class what a packed_oarchive is told. That is known here but for one thing:
/// by default objects are tracked only where the program saves some by pointer, into that kind of archive.
template <class T>
class oserializer<mpiprof::boost_mpi::size_oarchive, T> : public basic_oserializer {
    using type_info = typename serialization::type_info_implementation<T>::type;

    static basic_oserializer const& packed() {
        return serialization::singleton<oserializer<mpi::packed_oarchive, T>>::get_const_instance();
    }

  public:
    oserializer() : basic_oserializer(serialization::singleton<type_info>::get_const_instance()) {}

    void save_object_data(basic_oarchive& archive, void const* object) const override {
        serialization::serialize_adl(static_cast<mpiprof::boost_mpi::size_oarchive&>(archive),
                                     *static_cast<T*>(const_cast<void*>(object)), version());
    }
    bool tracking(unsigned flags) const override { return packed().tracking(flags); }
    bool class_info() const override { return packed().class_info(); }
    version_type version() const override { return packed().version(); }
    bool is_polymorphic() const override { return packed().is_polymorphic(); }
};

/// A class that was exported without size_oarchive is an exception, also where Boost would only assert it.
template <>
inline basic_serializer const* archive_serializer_map<mpiprof::boost_mpi::size_oarchive>::find(
    serialization::extended_type_info const& type) {
    using serializers = serialization::singleton<extra_detail::map<mpiprof::boost_mpi::size_oarchive>>;
    auto const* const found = serializers::get_const_instance().find(type);
    if (found == nullptr)
        throw archive_exception(archive_exception::unregistered_class, type.get_debug_info());
    return found;
}

}  // namespace boost::archive::detail

BOOST_SERIALIZATION_REGISTER_ARCHIVE(mpiprof::boost_mpi::size_oarchive)
BOOST_SERIALIZATION_USE_ARRAY_OPTIMIZATION(mpiprof::boost_mpi::size_oarchive)
