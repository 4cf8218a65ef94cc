// Files: whole or not there, never over one that is.
#include <mpiprof/results/file.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

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

}  // namespace
