// std::plus and its like. <functional> has them too, and takes three times as long to include.
#pragma once

#include <mpiprof/core/config.hpp>

#include <cstddef>

#ifdef __GLIBCXX__
#include <bits/stl_function.h>
#else
#include <functional>
#endif
