// The buffer that buffered sends need.
#pragma once

#include "tests/oracle/forms.hpp"

namespace oracle {

class attached_buffer {
  public:
    explicit attached_buffer(form const& by) : by_{by} { by_.buffer_attach(room_, sizeof room_); }
    attached_buffer(attached_buffer const&) = delete;
    attached_buffer& operator=(attached_buffer const&) = delete;
    ~attached_buffer() {
        void* room = nullptr;
        int length = 0;
        by_.buffer_detach(&room, &length);
    }

  private:
    form const& by_;
    char room_[1 << 16];
};

}  // namespace oracle
