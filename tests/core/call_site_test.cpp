// Call sites: the caller's line, also through helpers that pass it on.
#include <mpiprof/core/call_site.hpp>

#include <gtest/gtest.h>

#include <string>
#include <type_traits>

namespace {

using mpiprof::call_site;

call_site profiled_call(call_site site = call_site::current()) { return site; }

call_site helper(call_site site = call_site::current()) { return profiled_call(site); }

TEST(call_site, is_where_the_call_is_written) {
    auto const here = profiled_call();
    EXPECT_EQ(here.line(), static_cast<unsigned>(__LINE__ - 1));
    EXPECT_TRUE(std::string{here.file()}.ends_with("call_site_test.cpp"));
}

TEST(call_site, is_the_callers_through_a_helper) {
    auto const here = helper();
    EXPECT_EQ(here.line(), static_cast<unsigned>(__LINE__ - 1));
}

TEST(call_site, is_unknown_by_default) {
    EXPECT_EQ(call_site{}.line(), 0U);
    EXPECT_STREQ(call_site{}.file(), "");
}

TEST(call_site, is_made_of_nothing_by_accident) {
    static_assert(!std::is_convertible_v<int, call_site>);
    static_assert(!std::is_convertible_v<char const*, call_site>);
    static_assert(std::is_trivially_copyable_v<call_site>);
}

}  // namespace
