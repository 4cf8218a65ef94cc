#include <mpiprof/exports/site_text.hpp>

#include <fmt/format.h>

namespace mpiprof::inline v1::exports {

std::string site_text(run const& of, call_site const& site) {
    if (site.line() > 0) return fmt::format("{}:{}", site.file(), site.line());
    return of.resolve ? of.resolve(site.file()) : site.file();
}

}  // namespace mpiprof::inline v1::exports
