// The place of a call by its return address, of programs, plug-ins and through a Fortran layer.
#include <mpiprof/preload/call_place.hpp>
#include <mpiprof/preload/frame_size.hpp>

#include "tests/support/child.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <link.h>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using mpiprof::call_site;
using mpiprof::preload::place_of_caller;

std::string layer_path;
std::string plugin_path;

call_site last_place;
void const* last_return;

/// Stands for the wrapper of an MPI function.
[[gnu::noinline]] void mpi_function() {
    last_return = __builtin_return_address(0);
    last_place = place_of_caller(last_return, static_cast<void**>(__builtin_frame_address(0)) + 1);
}

std::string hexadecimal(std::uintptr_t number) {
    char text[32];
    std::snprintf(text, sizeof text, "+0x%llx", static_cast<unsigned long long>(number));
    return text;
}

/// "+0x1234", by what the loader says.
std::string offset_of(void const* address) {
    Dl_info info{};
    link_map* map = nullptr;
    EXPECT_NE(::dladdr1(address, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP), 0);
    return hexadecimal(reinterpret_cast<std::uintptr_t>(address) - map->l_addr);
}

bool ends_with(call_site place, std::string const& text) { return std::string{place.file()}.ends_with(text); }

struct shared_library {
    explicit shared_library(std::string const& path) : handle{::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)} {
        if (handle == nullptr) throw std::runtime_error(::dlerror());
    }
    shared_library(shared_library const&) = delete;
    shared_library& operator=(shared_library const&) = delete;
    ~shared_library() { ::dlclose(handle); }

    template <class Symbol>
    Symbol* find(char const* name) const {
        auto* const found = ::dlsym(handle, name);
        if (found == nullptr) throw std::runtime_error(::dlerror());
        return reinterpret_cast<Symbol*>(found);
    }

    void* handle;
};

using layer_function = void(void (*)(), int);

TEST(call_place, is_the_programs_file_with_build_id_and_offset) {
    mpi_function();
    auto const program = std::filesystem::read_symlink("/proc/self/exe").string();
    EXPECT_TRUE(std::string{last_place.file()}.starts_with(program)) << last_place.file();
    EXPECT_TRUE(ends_with(last_place, offset_of(last_return))) << last_place.file();
    EXPECT_EQ(last_place.line(), 0U);
}

/// One address, however often a compiler writes a loop's body down.
[[gnu::noinline]] void call_from_here() {
    mpi_function();
    asm volatile("" ::: "memory");
}

TEST(call_place, is_one_text_each_time_and_another_elsewhere) {
    std::array<char const*, 3> texts{};
    for (auto& text : texts) {
        call_from_here();
        text = last_place.file();
    }
    EXPECT_EQ(texts[0], texts[1]);
    EXPECT_EQ(texts[0], texts[2]);
    mpi_function();
    EXPECT_STRNE(texts[0], last_place.file());
}

/// Stands for the wrapper of MPI_Abort.
[[gnu::noinline]] call_site known_place() {
    return mpiprof::preload::known_place_of_caller(__builtin_return_address(0),
                                                   static_cast<void**>(__builtin_frame_address(0)) + 1);
}

TEST(call_place, that_is_not_known_yet_can_be_left_unknown) {
    EXPECT_STREQ(known_place().file(), "");
    mpi_function();
    auto const known = mpiprof::preload::known_place_of_caller(last_return, nullptr);
    EXPECT_EQ(known.file(), last_place.file());
}

TEST(call_place, leaves_errno_alone) {
    errno = EDOM;
    mpi_function();
    EXPECT_EQ(errno, EDOM);
}

/// The callers of a layer, at two addresses.
[[gnu::noinline]] void call_here(layer_function* function, int size) {
    function(&mpi_function, size);
    asm volatile("" ::: "memory");
}
[[gnu::noinline]] void call_there(layer_function* function, int size) {
    function(&mpi_function, size);
    asm volatile("nop" ::: "memory");
}

TEST(call_place, lies_before_the_fortran_layer_whatever_its_frames) {
    shared_library const layer{layer_path};
    auto const* const caller = layer.find<void const*>("layer_caller");
    for (auto const* const name : {"layer_plain", "layer_nested", "layer_variable"}) {
        auto* const function = layer.find<layer_function>(name);
        for (int size = 16; size < 5000; size += 304) {
            for (auto* const call : {&call_here, &call_there}) {
                call(function, size);
                EXPECT_TRUE(ends_with(last_place, offset_of(*caller))) << name << ' ' << last_place.file();
            }
        }
    }
}

#ifdef __x86_64__
TEST(call_place, needs_no_walk_where_frames_have_one_size) {
    shared_library const layer{layer_path};
    layer.find<layer_function>("layer_plain")(&mpi_function, 0);
    auto const plain = reinterpret_cast<std::uintptr_t>(last_return);
    EXPECT_GT(mpiprof::preload::detail::constant_frame_size(plain), 0U);
    EXPECT_NE(mpiprof::preload::detail::known_places.match(plain) % 2, 0U);
    layer.find<layer_function>("layer_variable")(&mpi_function, 100);
    EXPECT_EQ(mpiprof::preload::detail::constant_frame_size(reinterpret_cast<std::uintptr_t>(last_return)),
              0U);
    EXPECT_EQ(mpiprof::preload::detail::constant_frame_size(reinterpret_cast<std::uintptr_t>(&errno)), 0U);
}

TEST(call_place, of_code_without_a_file_says_so) {
    // sub $8, %rsp; call *%rdi; add $8, %rsp; ret
    constexpr unsigned char code[] = {0x48, 0x83, 0xec, 0x08, 0xff, 0xd7, 0x48, 0x83, 0xc4, 0x08, 0xc3};
    auto* const page = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(page, MAP_FAILED);
    std::memcpy(page, code, sizeof code);
    ASSERT_EQ(::mprotect(page, 4096, PROT_READ | PROT_EXEC), 0);
    reinterpret_cast<void (*)(void (*)())>(page)(&mpi_function);
    EXPECT_STREQ(last_place.file(), "(no module)");
    ::munmap(page, 4096);
}
#endif

TEST(call_place, is_the_new_modules_where_one_took_anothers_addresses) {
    auto const folder = std::filesystem::temp_directory_path() / ("places." + std::to_string(::getpid()));
    std::filesystem::create_directory(folder);
    constexpr char const* names[] = {"one.so", "two.so", "one.so"};
    for (auto const* const& name : names) {
        auto const path = folder / name;
        std::filesystem::copy_file(plugin_path, path, std::filesystem::copy_options::overwrite_existing);
        shared_library const plugin{path.string()};
        // The first call of a new module may be from a known address; this one tells that modules changed.
        place_of_caller(&name, nullptr);
        for (auto const* const function : {"plugin_first", "plugin_second"}) {
            plugin.find<void(void (*)())>(function)(&mpi_function);
            EXPECT_TRUE(std::string{last_place.file()}.starts_with(path.string())) << last_place.file();
            EXPECT_TRUE(ends_with(last_place, offset_of(last_return)));
        }
    }
    std::filesystem::remove_all(folder);
}

TEST(call_place, is_where_a_file_was_that_had_a_relative_name_and_is_gone) {
    auto const before = std::filesystem::current_path();
    auto const folder = std::filesystem::canonical(std::filesystem::temp_directory_path()) /
                        ("relative." + std::to_string(::getpid()));
    std::filesystem::create_directory(folder);
    std::filesystem::copy_file(plugin_path, folder / "plugin.so");
    std::filesystem::current_path(folder);
    shared_library const plugin{"./plugin.so"};
    std::filesystem::current_path(before);
    std::filesystem::remove_all(folder);
    place_of_caller(&before, nullptr);  // tells that modules changed, as above
    plugin.find<void(void (*)())>("plugin_first")(&mpi_function);
    auto const expected = (folder / "plugin.so").string();
    std::string const place = last_place.file();
    EXPECT_TRUE(place.starts_with(expected + '@') || place.starts_with(expected + '+')) << place;
    EXPECT_TRUE(place.ends_with(offset_of(last_return))) << place;
}

TEST(call_place, is_right_in_all_threads) {
    auto const first = reinterpret_cast<std::uintptr_t>(&mpi_function);
    constexpr std::uintptr_t number = 16;
    std::array<std::vector<std::string>, 4> texts;
    std::vector<std::thread> threads;
    for (auto& mine : texts) {
        threads.emplace_back([&mine, first] {
            for (std::uintptr_t place = first; place < first + number; ++place)
                mine.emplace_back(place_of_caller(reinterpret_cast<void*>(place), nullptr).file());
        });
    }
    for (auto& thread : threads) thread.join();
    for (std::uintptr_t place = 0; place < number; ++place) {
        EXPECT_TRUE(texts[0][place].ends_with(offset_of(reinterpret_cast<void*>(first + place))));
        for (auto const& others : texts) EXPECT_EQ(others[place], texts[0][place]);
    }
}

std::vector<std::string> frames_of(call_site place) {
    std::vector<std::string> frames;
    std::string const text = place.file();
    for (std::size_t begin = 0; begin < text.size();) {
        auto const end = std::min(text.find(" < ", begin), text.size());
        frames.push_back(text.substr(begin, end - begin));
        begin = end + 3;
    }
    return frames;
}

void const* outer_return;

[[gnu::noinline]] void call_through_two(layer_function* function, int size) {
    outer_return = __builtin_return_address(0);
    call_here(function, size);
    asm volatile("" ::: "memory");
}

int check_depth() {
    mpiprof::preload::set_place_depth(2);
    shared_library const layer{layer_path};
    auto* const function = layer.find<layer_function>("layer_variable");
    auto const* const caller = layer.find<void const*>("layer_caller");
    auto const is = [&](void const* inner) {
        auto const frames = frames_of(last_place);
        return frames.size() == 2 && frames[0].ends_with(offset_of(inner));
    };
    call_here(function, 100);
    if (!is(*caller)) return 1;
    auto const frames = frames_of(last_place);
    for (int i = 0; i < 2; ++i) {
        call_here(function, 300);
        if (!is(*caller) || frames_of(last_place)[0] != frames[0]) return 2;
        if (frames_of(last_place)[1] == frames[1]) return 3;
    }
    mpiprof::preload::set_place_depth(3);
    call_through_two(function, 50);
    if (frames_of(last_place).size() != 3 || !frames_of(last_place)[2].ends_with(offset_of(outer_return)))
        return 4;
    auto const* const text = last_place.file();
    mpiprof::preload::set_place_depth(1);
    mpi_function();
    return frames_of(last_place).size() == 1 && frames_of(call_site{text, 0}).size() == 3 ? 0 : 5;
}

TEST(call_place, of_several_frames_begins_with_the_innermost) {
    EXPECT_EQ(test_support::in_child(&check_depth), 0);
}

int fill_the_table() {
    mpi_function();
    std::string const before = last_place.file();
    for (std::uintptr_t place = 1; place <= 70000; ++place)
        place_of_caller(reinterpret_cast<void*>(place << 4), nullptr);
    if (std::strcmp(place_of_caller(reinterpret_cast<void*>(70001 << 4), nullptr).file(), "(other places)") !=
        0)
        return 1;
    if (std::strcmp(place_of_caller(reinterpret_cast<void*>(1 << 4), nullptr).file(), "(no module)") != 0)
        return 2;
    return 0;
}

TEST(call_place, has_room_for_65536_and_tells_once_that_it_is_full) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    EXPECT_EQ(test_support::in_child([&] {
                  ::dup2(ends[1], STDERR_FILENO);
                  return fill_the_table();
              }),
              0);
    ::close(ends[1]);
    char text[4096] = {};
    ASSERT_GT(::read(ends[0], text, sizeof text - 1), 0);
    ::close(ends[0]);
    EXPECT_STREQ(
        text, "mpiprof: more than 65536 call sites; all further ones stand together as '(other places)'\n");
}

}  // namespace

int main(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    if (argc != 3) return 2;
    layer_path = std::filesystem::absolute(argv[1]).string();
    plugin_path = std::filesystem::absolute(argv[2]).string();
    return RUN_ALL_TESTS();
}
