// Files: whole or not there, never over one that is.
#include <mpiprof/results/file.hpp>

#include "tests/support/child.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/resource.h>

namespace {

using mpiprof::results::write_file;

class file : public testing::Test {
  protected:
    file() { std::filesystem::create_directories(folder_); }
    ~file() override { std::filesystem::remove_all(folder_); }

    std::string path(char const* name) const { return folder_ + '/' + name; }
    static std::string read(std::string const& path) {
        std::ifstream in{path};
        return {std::istreambuf_iterator<char>{in}, {}};
    }
    std::size_t files() const {
        return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator{folder_}, {}));
    }

  private:
    static std::string temporary() {
        char const* const given = std::getenv("TEST_TMPDIR");
        return given != nullptr ? given : "/tmp";
    }
    std::string folder_ = temporary() + "/mpiprof_file_test." + std::to_string(::getpid());
};

TEST_F(file, is_written_under_its_name) {
    auto const written = write_file(path("run.json"), "text");
    EXPECT_EQ(written.path, path("run.json"));
    EXPECT_EQ(written.error, "");
    EXPECT_EQ(read(written.path), "text");
    EXPECT_EQ(files(), 1U);
}

TEST_F(file, takes_a_number_where_the_name_is_taken) {
    for (auto const* expected : {"run.mpiprof.json", "run.mpiprof.2.json", "run.mpiprof.3.json"}) {
        EXPECT_EQ(write_file(path("run.mpiprof.json"), expected).path, path(expected));
    }
    EXPECT_EQ(read(path("run.mpiprof.json")), "run.mpiprof.json");
    EXPECT_EQ(read(path("run.mpiprof.3.json")), "run.mpiprof.3.json");
    EXPECT_EQ(write_file(path("plain"), "1").path, path("plain"));
    EXPECT_EQ(write_file(path("plain"), "2").path, path("plain.2"));
}

TEST_F(file, says_why_it_cannot_be_written_and_leaves_nothing) {
    EXPECT_EQ(write_file(path("no/such/run.json"), "text").error, "No such file or directory");
    std::filesystem::create_directory(path("directory"));
    EXPECT_EQ(write_file(path("directory"), "text").error, "Is a directory");
    EXPECT_EQ(write_file(path("directory/"), "text").error, "Is a directory");
    EXPECT_EQ(files(), 1U);
}

TEST_F(file, that_is_larger_than_the_process_may_write_is_an_error_and_no_signal) {
    auto const status = test_support::in_child([this] {
        std::signal(SIGXFSZ, SIG_DFL);
        ::rlimit const limit{4, 4};
        if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 1;
        if (write_file(path("large"), "12345").error != "File too large") return 2;
        return write_file(path("small"), "1234").error.empty() ? 0 : 3;
    });
    EXPECT_EQ(status, 0);
    EXPECT_EQ(read(path("small")), "1234");
    EXPECT_EQ(files(), 1U);
}

}  // namespace
