// Counts the words of files, spread over the ranks of a Boost.MPI communicator.
#pragma once

#include "text.hpp"

#include <mpiprof/boost_mpi.hpp>

#include <boost/serialization/map.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <functional>
#include <iomanip>
#include <ostream>

// The one-line switch. Without mpiprof it reads:  namespace mpi = boost::mpi;
namespace mpi = mpiprof::boost_mpi;

namespace word_count {

inline constexpr int name_tag = 1;
inline constexpr int counts_tag = 2;

// The communicator's type is deduced: boost::mpi::communicator and the profiled one do equally well.

/// Deals rank 0's files out to all ranks, like cards; returns this rank's.
template <class Communicator>
std::vector<std::string> deal(Communicator const& world, std::vector<std::string> const& files) {
    std::size_t number = files.size();
    mpi::broadcast(world, number, 0);
    auto const ranks = static_cast<std::size_t>(world.size());
    auto const rank = static_cast<std::size_t>(world.rank());
    std::vector<std::string> mine;
    for (std::size_t i = 0; i < number; ++i) {
        auto const owner = i % ranks;
        if (rank == 0 && owner != 0) world.send(static_cast<int>(owner), name_tag, files[i]);
        else if (rank == 0) mine.push_back(files[i]);
        else if (rank == owner) world.recv(0, name_tag, mine.emplace_back());
    }
    return mine;
}

/// The words of all ranks together, on rank 0.
template <class Communicator>
counts merge(Communicator const& world, std::vector<counts> const& by_file) {
    counts all;
    auto const add = [&all](counts const& some) {
        for (auto const& [word, count] : some) all[word] += count;
    };
    for (auto const& words : by_file) add(words);
    if (world.rank() != 0) {
        world.send(0, counts_tag, all);
        return {};
    }
    for (int i = 1; i < world.size(); ++i) {
        counts part;
        world.recv(mpi::any_source, counts_tag, part);
        add(part);
    }
    return all;
}

/// Counts the words of rank 0's files and prints the most frequent ones there. Where there are no files, or
/// one cannot be read, all ranks return false.
template <class Communicator>
bool count_words(Communicator const& world, std::vector<std::string> const& files, std::ostream& out) {
    int problems = 0;
    if (world.rank() == 0 && files.empty()) {
        std::cerr << "word_count: there are no files to read; name some as arguments\n";
        ++problems;
    }
    std::vector<counts> by_file;
    for (auto const& file : deal(world, files)) problems += count_file(file, by_file.emplace_back()) ? 0 : 1;
    // One rank's problem is everybody's: nobody waits for a rank that has left.
    if (mpi::all_reduce(world, problems, std::plus<int>()) > 0) return false;

    auto const all = merge(world, by_file);
    std::vector<std::string> words;
    for (auto const& [word, count] : most_frequent(all, 10)) words.push_back(word);

    // In how many files are these? Each rank looks into its own.
    mpi::broadcast(world, words, 0);
    std::vector<int> found(words.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
        for (auto const& file : by_file) found[i] += file.contains(words[i]) ? 1 : 0;
    }
    std::vector<int> found_by_all;
    mpi::reduce(world, found, found_by_all, std::plus<int>(), 0);
    if (world.rank() != 0) return true;

    int total = 0;
    for (auto const& [word, count] : all) total += count;
    out << total << " words, " << all.size() << " different ones, in " << files.size() << " files\n";
    for (std::size_t i = 0; i < words.size(); ++i) {
        out << std::setw(8) << all.at(words[i]) << "  " << std::left << std::setw(12) << words[i]
            << std::right << " in " << found_by_all[i] << " files\n";
    }
    return true;
}

}  // namespace word_count
