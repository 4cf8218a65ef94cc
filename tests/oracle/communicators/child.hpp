// What the processes do that the tests of this program start: they are of this program, too.
#pragma once

#include <mpi.h>
#include <string>

namespace oracle {

/// The tag of the one message that each child gets from its parent.
inline constexpr int greeting = 3;

/// The path of this program.
std::string own_program();

/// Does what a child does until it ends, if this process is one.
bool was_child();

}  // namespace oracle
