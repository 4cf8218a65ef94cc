// Structs that say what their fields are: for the file, the wire between ranks and the reader alike.
#pragma once

#include <mpiprof/core/config.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace mpiprof::inline v1::results {

class field_visitor;
class row_list;

/// A struct that describes itself, whatever its type: describe(visitor) calls visitor(name, field) for each
/// of its fields, in order.
class object {
  public:
    using describe_function = void (*)(void*, field_visitor&);

    object(void* value, describe_function describe) noexcept : value_{value}, describe_{describe} {}

    template <class Struct>
        requires requires(Struct& value, field_visitor& visitor) { value.describe(visitor); }
    object(Struct& value) noexcept : object{&value, &describe_as<Struct>} {}

    /// For visitors that only look.
    template <class Struct>
    static object to_read(Struct const& value) noexcept {
        return const_cast<Struct&>(value);
    }

    void visit(field_visitor& visitor) const { describe_(value_, visitor); }

    template <class Struct>
    static void describe_as(void* value, field_visitor& visitor) {
        static_cast<Struct*>(value)->describe(visitor);
    }

  private:
    void* value_;
    describe_function describe_;
};

/// What visits fields. It is no template, so that a unit compiles each struct's description only once.
class field_visitor {
  public:
    virtual void operator()(char const* name, std::int64_t& value) = 0;
    virtual void operator()(char const* name, double& value) = 0;
    virtual void operator()(char const* name, bool& value) = 0;
    virtual void operator()(char const* name, std::string& value) = 0;
    virtual void operator()(char const* name, std::vector<std::int64_t>& numbers) = 0;
    virtual void operator()(char const* name, object value) = 0;
    virtual void operator()(char const* name, row_list& rows) = 0;

  protected:
    ~field_visitor() = default;
};

}  // namespace mpiprof::inline v1::results
