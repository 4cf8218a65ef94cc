// Waits, tests and starts, and what else is done to requests.
#include "tests/oracle/parts.hpp"

#include <vector>

namespace oracle {

namespace {

/// Notes a wait or test that completes one request at most: `before` was its handle and `after` is, where one
/// is gone. A test that finds it incomplete is named after it too.
int finish_wait(char const* operation, int code, bool done, MPI_Request before, MPI_Request after,
                MPI_Status const& status) {
    call made{.operation = operation, .incomplete = code == MPI_SUCCESS && !done};
    auto const one = made.incomplete ? look_at(before) : complete(before, after, status, code == MPI_SUCCESS);
    if (one) {
        made.request = one->shared ? "?" : one->outcome.operation;
        made.peer = one->shared ? cannot_tell : one->outcome.peer;
        made.tag = one->shared ? cannot_tell : one->outcome.tag;
    }
    made.capacity = cannot_tell;
    return finish(made, code);
}

/// The handles before a call that overwrites them, and statuses of ours where the caller has none.
class request_list {
  public:
    request_list(int count, MPI_Request const* requests, MPI_Status* statuses)
        : handles_(requests, requests + count),
          own_(handles_.size() + 1),
          statuses_{statuses == MPI_STATUSES_IGNORE ? own_.data() : statuses} {}

    MPI_Status* statuses() { return statuses_; }
    MPI_Request before(int place) const { return handles_[static_cast<std::size_t>(place)]; }

    /// Notes a call that completes all of them.
    int finish_all(char const* operation, int code, bool done, MPI_Request const* after) const {
        auto made = call_of_several(operation);
        made.incomplete = code == MPI_SUCCESS && !done;
        for (std::size_t i = 0; i < handles_.size() && (done || code != MPI_SUCCESS); ++i) {
            note(code, handles_[i], after[i], statuses_[i]);
        }
        return finish(made, code);
    }

    /// Notes a call that completes some of them, whose statuses stand in the order of the indices.
    int finish_some(char const* operation, int code, bool tests, int count, int const* indices,
                    MPI_Request const* after) const {
        auto made = call_of_several(operation);
        made.incomplete = code == MPI_SUCCESS && tests && count == 0;
        bool const told = code == MPI_SUCCESS || error_class_of(code) == MPI_ERR_IN_STATUS;
        for (int i = 0; told && i < count; ++i) {
            note(code, before(indices[i]), after[indices[i]], statuses_[i]);
        }
        return finish(made, code);
    }

  private:
    static call call_of_several(char const* operation) {
        return {.operation = operation,
                .peer = cannot_tell,
                .tag = cannot_tell,
                .capacity = cannot_tell,
                .request = "?"};
    }

    static int error_class_of(int code) {
        int error_class = MPI_SUCCESS;
        PMPI_Error_class(code, &error_class);
        return error_class;
    }

    /// Notes one of them. Its own success stands in its status under one error class only (MPI 3.1, section
    /// 3.7.5).
    static void note(int code, MPI_Request before, MPI_Request after, MPI_Status const& status) {
        bool const in_status = code != MPI_SUCCESS && error_class_of(code) == MPI_ERR_IN_STATUS;
        if (in_status && status.MPI_ERROR == MPI_ERR_PENDING) return;
        complete(before, after, status,
                 code == MPI_SUCCESS || (in_status && status.MPI_ERROR == MPI_SUCCESS));
    }

    std::vector<MPI_Request> handles_;
    std::vector<MPI_Status> own_;
    MPI_Status* statuses_;
};

/// Notes a call that completes any one of a list, at `index`.
int finish_any(char const* operation, int code, bool done, int index, request_list& list,
               MPI_Request const* after) {
    bool const none = code != MPI_SUCCESS || !done || index == MPI_UNDEFINED;
    auto const null = MPI_REQUEST_NULL;
    return finish_wait(operation, code, done, none ? null : list.before(index), none ? null : after[index],
                       *list.statuses());
}

}  // namespace

}  // namespace oracle

using namespace oracle;

extern "C" {

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
    status_of_call own{status};
    auto const before = *request;
    int const code = ORACLE_REAL(Wait)(request, own.get());
    return finish_wait("wait", code, true, before, *request, *own.get());
}

int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
    status_of_call own{status};
    auto const before = *request;
    int const code = ORACLE_REAL(Test)(request, flag, own.get());
    return finish_wait("test", code, *flag != 0, before, *request, *own.get());
}

int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
    request_list list{count, requests, statuses};
    int const code = ORACLE_REAL(Waitall)(count, requests, list.statuses());
    return list.finish_all("waitall", code, true, requests);
}

int MPI_Testall(int count, MPI_Request* requests, int* flag, MPI_Status* statuses) {
    request_list list{count, requests, statuses};
    int const code = ORACLE_REAL(Testall)(count, requests, flag, list.statuses());
    return list.finish_all("testall", code, *flag != 0, requests);
}

int MPI_Waitany(int count, MPI_Request* requests, int* index, MPI_Status* status) {
    request_list list{count, requests, status};
    int const code = ORACLE_REAL(Waitany)(count, requests, index, list.statuses());
    return finish_any("waitany", code, true, *index, list, requests);
}

int MPI_Testany(int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status) {
    request_list list{count, requests, status};
    int const code = ORACLE_REAL(Testany)(count, requests, index, flag, list.statuses());
    return finish_any("testany", code, *flag != 0, *index, list, requests);
}

int MPI_Waitsome(int count, MPI_Request* requests, int* done, int* indices, MPI_Status* statuses) {
    request_list list{count, requests, statuses};
    int const code = ORACLE_REAL(Waitsome)(count, requests, done, indices, list.statuses());
    return list.finish_some("waitsome", code, false, *done, indices, requests);
}

int MPI_Testsome(int count, MPI_Request* requests, int* done, int* indices, MPI_Status* statuses) {
    request_list list{count, requests, statuses};
    int const code = ORACLE_REAL(Testsome)(count, requests, done, indices, list.statuses());
    return list.finish_some("testsome", code, true, *done, indices, requests);
}

// It completes nothing: the request stays.
int MPI_Request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
    int const code = ORACLE_REAL(Request_get_status)(request, flag, status);
    return finish({.operation = "request_get_status", .incomplete = code == MPI_SUCCESS && *flag == 0}, code);
}

int MPI_Cancel(MPI_Request* request) { return finish({.operation = "cancel"}, ORACLE_REAL(Cancel)(request)); }

int MPI_Request_free(MPI_Request* request) {
    auto const before = *request;
    int const code = ORACLE_REAL(Request_free)(request);
    if (code == MPI_SUCCESS) forget(before);
    return finish({.operation = "request_free"}, code);
}

int MPI_Start(MPI_Request* request) {
    int const code = ORACLE_REAL(Start)(request);
    if (code != MPI_SUCCESS)
        return finish({.operation = "start", .capacity = cannot_tell, .request = "?"}, code);
    return finish(start(*request, true), code);
}

int MPI_Startall(int count, MPI_Request* requests) {
    int const code = ORACLE_REAL(Startall)(count, requests);
    call made{.operation = "startall"};
    for (int i = 0; i < count && code == MPI_SUCCESS; ++i) {
        auto const one = start(requests[i], false);
        made.sent += one.sent;
        made.received += one.received;
    }
    return finish(made, code);
}

}  // extern "C"
