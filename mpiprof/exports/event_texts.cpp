#include <mpiprof/exports/event_texts.hpp>

#include <mpiprof/exports/communicator_name.hpp>
#include <mpiprof/exports/site_text.hpp>

namespace mpiprof::inline v1::exports {

std::string const& event_texts::communicator(communicator_id id) {
    auto const [found, is_new] = communicators_.try_emplace(id);
    if (is_new) found->second = quoted(communicator_name(*from_.trace, id));
    return found->second;
}

std::string const& event_texts::site(call_site const& site) {
    auto const [found, is_new] = sites_.try_emplace({site.file(), site.line()});
    if (is_new) found->second = quoted(site_text(from_, site));
    return found->second;
}

std::string const& event_texts::phase(char const* name) {
    auto const [found, is_new] = phases_.try_emplace(name);
    if (is_new) found->second = quoted(name);
    return found->second;
}

}  // namespace mpiprof::inline v1::exports
