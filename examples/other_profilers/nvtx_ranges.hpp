// MPI calls as ranges of NVTX.
#pragma once

#include <nvtx3/nvToolsExt.h>

#include <string>
#include <string_view>

/// For mpiprof::sinks::region. NVTX reads a clock of its own, so ranges are pushed before a call and popped
/// after it.
class nvtx_ranges {
  public:
    nvtxStringHandle_t define(std::string_view name) noexcept {
        return nvtxDomainRegisterStringA(domain_, std::string{name}.c_str());
    }

    void push(nvtxStringHandle_t region) noexcept {
        nvtxEventAttributes_t event{};
        event.version = NVTX_VERSION;
        event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
        event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
        event.message.registered = region;
        nvtxDomainRangePushEx(domain_, &event);
    }

    void pop() noexcept { nvtxDomainRangePop(domain_); }

  private:
    nvtxDomainHandle_t domain_ = nvtxDomainCreateA("MPI");
};
