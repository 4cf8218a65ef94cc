// Many operations at random. All ranks draw the same numbers, so that each knows what the others do.
#include "tests/oracle/attached_buffer.hpp"
#include "tests/oracle/layouts.hpp"
#include "tests/oracle/profiled_test.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <random>

namespace oracle {
namespace {

class random_operations : public profiled_test {
  protected:
    void SetUp() override {
        profiled_test::SetUp();
        buffer_.emplace(mpi);
        PMPI_Comm_split(world, rank % 2, -rank, &half_);
        know(half_);
    }
    void TearDown() override {
        buffer_.reset();
        PMPI_Comm_free(&half_);
        profiled_test::TearDown();
    }

    void run(unsigned seed, int steps) {
        static constexpr void (random_operations::* kinds[])() = {
            &random_operations::messages,   &random_operations::messages,  &random_operations::blocking,
            &random_operations::exchange,   &random_operations::rooted,    &random_operations::rooted,
            &random_operations::all_to_all, &random_operations::reduction, &random_operations::communicators};
        random_.seed(seed);
        for (int step = 0; step < steps; ++step) {
            SCOPED_TRACE("step " + std::to_string(step));
            // Each step draws on its own, since ranks of other communicators draw more or less.
            std::mt19937 here{random_()};
            std::swap(here, random_);
            int const kind = draw(std::size(kinds));
            enter(draw(5));
            (this->*kinds[kind])();
            std::swap(here, random_);
        }
    }

  private:
    int draw(std::size_t choices) { return static_cast<int>(random_() % choices); }
    bool toss() { return draw(2) != 0; }

    /// Chooses the step's communicator.
    void enter(int choice) {
        comm_ = choice == 0 ? MPI_COMM_SELF : choice == 1 ? half_ : world;
        me_ = rank_in(comm_);
        ranks_ = size_of(comm_);
    }

    int draw_length() { return 4 * draw(10); }

    /// `length` ints, as such or by fours, whichever this rank draws.
    layout message(int length) {
        bool const by_fours = (static_cast<unsigned>(rank) + random_()) % 3 == 0;
        return by_fours ? layout{four_, length / 4, 4 * length} : layout{MPI_INT, length, 4 * length};
    }

    using nonblocking_send = decltype(&PMPI_Isend);

    /// Several nonblocking messages at once, each by some shift along the ranks, and some way to complete
    /// them.
    void messages() {
        constexpr int most = 5;
        nonblocking_send const modes[] = {mpi.isend, mpi.ibsend, mpi.issend, mpi.irsend};
        int const count = 1 + draw(most);
        std::array<MPI_Request, 2 * most> requests;
        requests.fill(MPI_REQUEST_NULL);
        struct plan {
            int shift, length, room, mode;
            bool wildcard, to_nobody;
        };
        std::array<plan, most> plans;
        for (int i = 0; i < count; ++i) {
            auto& each = plans[static_cast<std::size_t>(i)];
            each = {draw(8), draw_length(), draw(20), draw(std::size(modes)), toss(), draw(6) == 0};
            int const source = each.to_nobody  ? MPI_PROC_NULL
                               : each.wildcard ? MPI_ANY_SOURCE
                                               : (me_ + 8 * ranks_ - each.shift) % ranks_;
            mpi.irecv(out.data() + 100 * i, each.length + each.room, MPI_INT, source, i, comm_,
                      &requests[static_cast<std::size_t>(most + i)]);
        }
        // Ready sends need their receives.
        meet(comm_);
        for (int i = 0; i < count; ++i) {
            auto const& each = plans[static_cast<std::size_t>(i)];
            auto const sent = message(each.length);
            modes[each.mode](in.data(), sent.count, sent.type,
                             each.to_nobody ? MPI_PROC_NULL : (me_ + each.shift) % ranks_, i, comm_,
                             &requests[static_cast<std::size_t>(i)]);
        }
        complete(requests.data(), static_cast<int>(requests.size()));
    }

    void complete(MPI_Request* requests, int count) {
        switch (draw(mpi.waitany == nullptr ? 3 : 6)) {
        case 0:
            return wait_for_each(requests, count);
        case 1:
            return test_each(requests, count);
        case 2:
            mpi.waitall(count, requests, MPI_STATUSES_IGNORE);
            return;
        case 3:
            return wait_for_any(requests, count);
        case 4:
            return test_any(requests, count);
        case 5:
            return test_all(requests, count);
        }
    }

    void wait_for_each(MPI_Request* requests, int count) {
        bool const backwards = toss();
        for (int i = 0; i < count; ++i) {
            auto* const request = &requests[backwards ? count - 1 - i : i];
            if (*request != MPI_REQUEST_NULL) mpi.wait(request, MPI_STATUS_IGNORE);
        }
    }

    void test_each(MPI_Request* requests, int count) {
        for (auto* request = requests; request != requests + count; ++request) {
            until([&] {
                int done = 1;
                if (*request != MPI_REQUEST_NULL) mpi.test(request, &done, MPI_STATUS_IGNORE);
                return done != 0;
            });
        }
    }

    void wait_for_any(MPI_Request* requests, int count) {
        for (int index = 0; index != MPI_UNDEFINED;) mpi.waitany(count, requests, &index, MPI_STATUS_IGNORE);
    }

    void test_any(MPI_Request* requests, int count) {
        until([&] {
            int done = 0;
            int index = 0;
            mpi.testany(count, requests, &index, &done, MPI_STATUS_IGNORE);
            return done != 0 && index == MPI_UNDEFINED;
        });
    }

    void test_all(MPI_Request* requests, int count) {
        until([&] {
            int done = 0;
            mpi.testall(count, requests, &done, MPI_STATUSES_IGNORE);
            return done != 0;
        });
    }

    /// A blocking send on the ranks of even number and a blocking receive, maybe probed for, on their next.
    void blocking() {
        decltype(&PMPI_Send) const modes[] = {mpi.send, mpi.bsend, mpi.ssend};
        auto const send = modes[draw(std::size(modes))];
        int const length = draw_length();
        int const probing = draw(3);
        bool const wildcard = toss();
        bool const sends = me_ % 2 == 0 && me_ + 1 < ranks_;
        if (sends) {
            auto const sent = message(length);
            send(in.data(), sent.count, sent.type, me_ + 1, 9, comm_);
        } else if (me_ % 2 != 0) {
            int const source = wildcard ? MPI_ANY_SOURCE : me_ - 1;
            int const tag = wildcard ? MPI_ANY_TAG : 9;
            if (probing == 1) mpi.probe(source, tag, comm_, MPI_STATUS_IGNORE);
            until([&] {
                int found = 1;
                if (probing == 2) mpi.iprobe(source, tag, comm_, &found, MPI_STATUS_IGNORE);
                return found != 0;
            });
            mpi.recv(out.data(), 100, MPI_INT, source, tag, comm_, MPI_STATUS_IGNORE);
        }
        // Nobody may send what this wildcard would catch.
        meet(comm_);
    }

    void exchange() {
        int const shift = draw(8);
        int const length = draw_length();
        bool const open = toss();
        int const dest = me_ + shift % ranks_;
        int const source = me_ - shift % ranks_;
        int const to = dest < ranks_ ? dest : open ? MPI_PROC_NULL : dest - ranks_;
        int const from = source >= 0 ? source : open ? MPI_PROC_NULL : source + ranks_;
        if (toss()) {
            mpi.sendrecv(in.data(), length + me_, MPI_INT, to, 8, out.data(), 100, MPI_INT, from, MPI_ANY_TAG,
                         comm_, MPI_STATUS_IGNORE);
        } else {
            mpi.sendrecv_replace(in.data(), length, MPI_INT, to, 8, from, 8, comm_, MPI_STATUS_IGNORE);
        }
    }

    void rooted() {
        int const root = draw(16) % ranks_;
        int const length = draw_length();
        bool const in_place = toss() && me_ == root;
        auto const mine = message(length);
        switch (draw(3)) {
        case 0:
            mpi.bcast(in.data(), mine.count, mine.type, root, comm_);
            return;
        case 1:
            mpi.gather(in_place ? MPI_IN_PLACE : in.data(), mine.count, mine.type, out.data(), length,
                       MPI_INT, root, comm_);
            return;
        case 2:
            mpi.scatter(in.data(), length, MPI_INT, in_place ? MPI_IN_PLACE : out.data(), mine.count,
                        mine.type, root, comm_);
            return;
        }
    }

    void all_to_all() {
        int const length = draw_length();
        bool const in_place = toss();
        auto const mine = message(length);
        void const* const from = in_place ? MPI_IN_PLACE : in.data();
        if (toss()) mpi.allgather(from, mine.count, mine.type, out.data(), length, MPI_INT, comm_);
        else mpi.alltoall(from, mine.count, mine.type, out.data(), length, MPI_INT, comm_);
    }

    void reduction() {
        int const root = draw(16) % ranks_;
        int const length = draw_length();
        bool const in_place = toss();
        auto const type = toss() ? MPI_INT : MPI_DOUBLE;
        if (toss()) {
            mpi.allreduce(in_place ? MPI_IN_PLACE : in.data(), out.data(), length, type, MPI_MAX, comm_);
        } else {
            mpi.reduce(in_place && me_ == root ? MPI_IN_PLACE : in.data(), out.data(), length, type, MPI_MAX,
                       root, comm_);
        }
    }

    void communicators() {
        MPI_Comm made = MPI_COMM_NULL;
        if (toss()) mpi.comm_dup(comm_, &made);
        else mpi.comm_split(comm_, me_ % 3, me_, &made);
        mpi.barrier(made);
        mpi.comm_free(&made);
    }

    datatype const four_{ints(4)};
    std::mt19937 random_;
    std::optional<attached_buffer> buffer_;
    MPI_Comm half_ = MPI_COMM_NULL;
    MPI_Comm comm_ = MPI_COMM_NULL;
    int me_ = 0;
    int ranks_ = 0;
};
ORACLE_ALL_FORMS(random_operations);

TEST_P(random_operations, of_seed_1) { run(1, 50); }

TEST_P(random_operations, of_seed_2026) { run(2026, 50); }

}  // namespace
}  // namespace oracle
