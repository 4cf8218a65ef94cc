#include <mpiprof/exports/otf2_archive.hpp>

namespace mpiprof::inline v1::exports {

namespace {

/// What does not fit the memory of a writer goes to its file.
OTF2_FlushType flush(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_FLUSH; }

constexpr OTF2_FlushCallbacks flushing = {flush, nullptr};

}  // namespace

otf2_archive::otf2_archive(std::string const& folder)
    : archive_{OTF2_Archive_Open(folder.c_str(), otf2_archive_name, OTF2_FILEMODE_WRITE,
                                 OTF2_CHUNK_SIZE_EVENTS_DEFAULT, OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT,
                                 OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE)} {
    if (archive_ == nullptr) throw std::runtime_error{"the OTF2 library could not make it"};
    otf2_check(OTF2_Archive_SetFlushCallbacks(archive_, &flushing, nullptr));
    otf2_check(OTF2_Archive_SetSerialCollectiveCallbacks(archive_));
    otf2_check(OTF2_Archive_SetCreator(archive_, otf2_creator));
    otf2_check(OTF2_Archive_OpenEvtFiles(archive_));
    otf2_check(OTF2_Archive_OpenDefFiles(archive_));
}

OTF2_EvtWriter* otf2_archive::open_events(OTF2_LocationRef location) {
    auto* const writer = OTF2_Archive_GetEvtWriter(archive_, location);
    if (writer == nullptr) throw std::runtime_error{"the OTF2 library gave no writer of events"};
    return writer;
}

std::uint64_t otf2_archive::close_events(OTF2_EvtWriter* writer) {
    std::uint64_t count = 0;
    OTF2_LocationRef location = 0;
    otf2_check(OTF2_EvtWriter_GetNumberOfEvents(writer, &count));
    otf2_check(OTF2_EvtWriter_GetLocationID(writer, &location));
    otf2_check(OTF2_Archive_CloseEvtWriter(archive_, writer));
    // Readers look for the location's own definitions, though none are needed.
    auto* const definitions = OTF2_Archive_GetDefWriter(archive_, location);
    if (definitions == nullptr) throw std::runtime_error{"the OTF2 library gave no writer of definitions"};
    otf2_check(OTF2_Archive_CloseDefWriter(archive_, definitions));
    return count;
}

OTF2_GlobalDefWriter* otf2_archive::open_definitions() {
    otf2_check(OTF2_Archive_CloseEvtFiles(archive_));
    otf2_check(OTF2_Archive_CloseDefFiles(archive_));
    auto* const writer = OTF2_Archive_GetGlobalDefWriter(archive_);
    if (writer == nullptr) throw std::runtime_error{"the OTF2 library gave no writer of definitions"};
    return writer;
}

void otf2_archive::close() { otf2_check(OTF2_Archive_Close(archive_)); }

}  // namespace mpiprof::inline v1::exports
