// Words of text files, without MPI.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace word_count {

/// How often each word occurs.
using counts = std::map<std::string, int>;

/// The regular files of a folder by name, none if there is no such folder. Links are left out: among the
/// licences, GPL is only another name of GPL-3.
inline std::vector<std::string> files_of(std::string const& folder) {
    std::vector<std::string> files;
    std::error_code error;
    for (auto const& entry : std::filesystem::directory_iterator{folder, error}) {
        if (entry.is_regular_file(error) && !entry.is_symlink(error)) files.push_back(entry.path().string());
    }
    std::sort(files.begin(), files.end());
    return files;
}

/// Counts the words of a file: runs of ASCII letters, in lower case. False, with a line on stderr that says
/// why, where the file cannot be read.
inline bool count_file(std::string const& file, counts& words) {
    std::ifstream text{file};
    std::string word;
    auto const end_word = [&] {
        if (!word.empty()) ++words[std::exchange(word, {})];
    };
    for (char letter; text.get(letter);) {
        if (letter >= 'a' && letter <= 'z') word += letter;
        else if (letter >= 'A' && letter <= 'Z') word += static_cast<char>(letter - 'A' + 'a');
        else end_word();
    }
    end_word();
    // A folder opens like a file, and fails at the first read.
    if (text.is_open() && !text.bad()) return true;
    // In one piece, so that the lines of several ranks stay whole.
    std::cerr << "word_count: cannot read '" + file + "': " + std::strerror(errno) + "\n" << std::flush;
    return false;
}

/// The `n` most frequent words, the most frequent first, equals by the alphabet.
inline std::vector<std::pair<std::string, int>> most_frequent(counts const& words, std::size_t n) {
    std::vector<std::pair<std::string, int>> sorted{words.begin(), words.end()};
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](auto const& a, auto const& b) { return a.second > b.second; });
    sorted.resize(std::min(n, sorted.size()));
    return sorted;
}

}  // namespace word_count
