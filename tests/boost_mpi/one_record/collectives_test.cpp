// Collectives.
#include "tests/boost_mpi/one_record/one_record.hpp"

#include <boost/mpi/skeleton_and_content.hpp>

namespace one_record_tests {

namespace {

template <class T>
class one_record_of_a_collective : public testing::Test {
  protected:
    static constexpr int root = 0;
    static bool is_root() { return self() == root; }

    // This rank's part and every rank's, two values each.
    T const in_ = value<T>();
    std::vector<T> const part_ = values<T>(2);
    std::vector<T> const parts_ = values<T>(2 * size());
    std::vector<T> const one_each_ = values<T>(size());
    std::vector<int> const sizes_ = std::vector<int>(static_cast<std::size_t>(size()), 2);
    std::vector<int> const displacements_ = [] {
        std::vector<int> each;
        for (int rank = 0; rank < size(); ++rank) each.push_back(2 * rank);
        return each;
    }();
    T out_{};
    std::vector<T> all_ = values<T>(2 * size());
    std::plus<T> const plus_{};
};

TYPED_TEST_SUITE(one_record_of_a_collective, types);

TYPED_TEST(one_record_of_a_collective, barrier) {
    one_record("communicator::barrier()", operation::barrier, [] { world().barrier(); });
}

TYPED_TEST(one_record_of_a_collective, broadcast) {
    auto value = this->in_;
    auto part = this->part_;
    auto shape = boost::mpi::skeleton(part);
    auto const& same_shape = shape;
    one_record("broadcast(const communicator &, T &, int)", operation::bcast,
               [&] { broadcast(world(), value, this->root); });
    one_record("broadcast(const communicator &, T *, int, int)", operation::bcast,
               [&] { broadcast(world(), part.data(), 2, this->root); });
    one_record("broadcast(const communicator &, skeleton_proxy<T> &, int)", operation::bcast,
               [&] { broadcast(world(), shape, this->root); });
    one_record("broadcast(const communicator &, const skeleton_proxy<T> &, int)", operation::bcast,
               [&] { broadcast(world(), same_shape, this->root); });
}

TYPED_TEST(one_record_of_a_collective, reduce) {
    auto& all = this->all_;
    one_record("reduce(const communicator &, const T &, T &, Op, int)", operation::reduce,
               [&] { reduce(world(), this->in_, this->out_, this->plus_, this->root); });
    one_record("reduce(const communicator &, const T *, int, T *, Op, int)", operation::reduce,
               [&] { reduce(world(), this->part_.data(), 2, all.data(), this->plus_, this->root); });
    one_record("reduce(const communicator &, const std::vector<T> &, std::vector<T> &, Op, int)",
               operation::reduce, [&] { reduce(world(), this->part_, all, this->plus_, this->root); });
}

// The shorter forms are for ranks other than the root.
TYPED_TEST(one_record_of_a_collective, reduce_to_another_rank) {
    auto const& part = this->part_;
    auto const& plus = this->plus_;
    if (this->is_root()) {
        for (int call = 0; call < 3; ++call) {
            if (call == 0) reduce(world(), this->in_, this->out_, plus, this->root);
            else reduce(world(), part.data(), 2, this->all_.data(), plus, this->root);
        }
        return;
    }
    one_record("reduce(const communicator &, const T &, Op, int)", operation::reduce,
               [&] { reduce(world(), this->in_, plus, this->root); });
    one_record("reduce(const communicator &, const T *, int, Op, int)", operation::reduce,
               [&] { reduce(world(), part.data(), 2, plus, this->root); });
    one_record("reduce(const communicator &, const std::vector<T> &, Op, int)", operation::reduce,
               [&] { reduce(world(), part, plus, this->root); });
}

TYPED_TEST(one_record_of_a_collective, all_reduce) {
    auto out = this->in_;
    auto all = this->part_;
    one_record("all_reduce(const communicator &, const T *, int, T *, Op)", operation::allreduce,
               [&] { all_reduce(world(), this->part_.data(), 2, all.data(), this->plus_); });
    one_record("all_reduce(const communicator &, const T &, T &, Op)", operation::allreduce,
               [&] { all_reduce(world(), this->in_, out, this->plus_); });
    one_record("all_reduce(const communicator &, const T &, Op)", operation::allreduce,
               [&] { all_reduce(world(), this->in_, this->plus_); });
    one_record("all_reduce(const communicator &, inplace_t<T *>, int, Op)", operation::allreduce,
               [&] { all_reduce(world(), boost::mpi::inplace(all.data()), 2, this->plus_); });
    one_record("all_reduce(const communicator &, inplace_t<T>, Op)", operation::allreduce,
               [&] { all_reduce(world(), boost::mpi::inplace(out), this->plus_); });
}

TYPED_TEST(one_record_of_a_collective, scan) {
    one_record("scan(const communicator &, const T &, T &, Op)", operation::scan,
               [&] { scan(world(), this->in_, this->out_, this->plus_); });
    one_record("scan(const communicator &, const T &, Op)", operation::scan,
               [&] { scan(world(), this->in_, this->plus_); });
    one_record("scan(const communicator &, const T *, int, T *, Op)", operation::scan,
               [&] { scan(world(), this->part_.data(), 2, this->all_.data(), this->plus_); });
}

TYPED_TEST(one_record_of_a_collective, gather) {
    auto const& part = this->part_;
    one_record("gather(const communicator &, const T &, std::vector<T> &, int)", operation::gather,
               [&] { gather(world(), this->in_, this->all_, this->root); });
    one_record("gather(const communicator &, const T &, T *, int)", operation::gather,
               [&] { gather(world(), this->in_, this->all_.data(), this->root); });
    one_record("gather(const communicator &, const T *, int, std::vector<T> &, int)", operation::gather,
               [&] { gather(world(), part.data(), 2, this->all_, this->root); });
    one_record("gather(const communicator &, const T *, int, T *, int)", operation::gather,
               [&] { gather(world(), part.data(), 2, this->all_.data(), this->root); });
}

TYPED_TEST(one_record_of_a_collective, gather_to_another_rank) {
    if (this->is_root()) {
        gather(world(), this->in_, this->all_, this->root);
        return;
    }
    one_record("gather(const communicator &, const T &, int)", operation::gather,
               [&] { gather(world(), this->in_, this->root); });
}

// In Boost 1.74 this one does not compile for serialised values.
TEST(one_record_of_a_collective_of_datatypes, gather_to_another_rank) {
    std::vector<int> const part{1, 2};
    std::vector<int> all;
    if (self() == 0) {
        gather(world(), part.data(), 2, all, 0);
        return;
    }
    one_record("gather(const communicator &, const T *, int, int)", operation::gather,
               [&] { gather(world(), part.data(), 2, 0); });
}

TYPED_TEST(one_record_of_a_collective, gatherv) {
    auto const& part = this->part_;
    auto* const all = this->all_.data();
    one_record("gatherv(const communicator &, const std::vector<T> &, T *, const std::vector<int> &, "
               "const std::vector<int> &, int)",
               operation::gatherv,
               [&] { gatherv(world(), part, all, this->sizes_, this->displacements_, this->root); });
    one_record("gatherv(const communicator &, const T *, int, T *, const std::vector<int> &, "
               "const std::vector<int> &, int)",
               operation::gatherv, [&] {
                   gatherv(world(), part.data(), 2, all, this->sizes_, this->displacements_, this->root);
               });
    one_record("gatherv(const communicator &, const T *, int, T *, const std::vector<int> &, int)",
               operation::gatherv, [&] { gatherv(world(), part.data(), 2, all, this->sizes_, this->root); });
    one_record("gatherv(const communicator &, const std::vector<T> &, T *, const std::vector<int> &, int)",
               operation::gatherv, [&] { gatherv(world(), part, all, this->sizes_, this->root); });
}

TYPED_TEST(one_record_of_a_collective, gatherv_to_another_rank) {
    auto const& part = this->part_;
    if (this->is_root()) {
        for (int call = 0; call < 2; ++call)
            gatherv(world(), part, this->all_.data(), this->sizes_, this->root);
        return;
    }
    one_record("gatherv(const communicator &, const std::vector<T> &, int)", operation::gatherv,
               [&] { gatherv(world(), part, this->root); });
    one_record("gatherv(const communicator &, const T *, int, int)", operation::gatherv,
               [&] { gatherv(world(), part.data(), 2, this->root); });
}

TYPED_TEST(one_record_of_a_collective, all_gather) {
    auto const& part = this->part_;
    one_record("all_gather(const communicator &, const T &, std::vector<T> &)", operation::allgather,
               [&] { all_gather(world(), this->in_, this->all_); });
    one_record("all_gather(const communicator &, const T &, T *)", operation::allgather,
               [&] { all_gather(world(), this->in_, this->all_.data()); });
    one_record("all_gather(const communicator &, const T *, int, std::vector<T> &)", operation::allgather,
               [&] { all_gather(world(), part.data(), 2, this->all_); });
    one_record("all_gather(const communicator &, const T *, int, T *)", operation::allgather,
               [&] { all_gather(world(), part.data(), 2, this->all_.data()); });
}

TYPED_TEST(one_record_of_a_collective, all_gatherv) {
    auto const& part = this->part_;
    auto* const all = this->all_.data();
    auto const ones = std::vector<int>(this->sizes_.size(), 1);
    one_record("all_gatherv(const communicator &, const T &, T *, const std::vector<int> &)",
               operation::allgatherv, [&] { all_gatherv(world(), this->in_, all, ones); });
    one_record("all_gatherv(const communicator &, const T *, T *, const std::vector<int> &)",
               operation::allgatherv, [&] { all_gatherv(world(), part.data(), all, this->sizes_); });
    one_record("all_gatherv(const communicator &, const std::vector<T> &, std::vector<T> &, const "
               "std::vector<int> &)",
               operation::allgatherv, [&] { all_gatherv(world(), part, this->all_, this->sizes_); });
    one_record("all_gatherv(const communicator &, const T *, T *, const std::vector<int> &, "
               "const std::vector<int> &)",
               operation::allgatherv,
               [&] { all_gatherv(world(), part.data(), all, this->sizes_, this->displacements_); });
    one_record("all_gatherv(const communicator &, const std::vector<T> &, std::vector<T> &, "
               "const std::vector<int> &, const std::vector<int> &)",
               operation::allgatherv,
               [&] { all_gatherv(world(), part, this->all_, this->sizes_, this->displacements_); });
}

TYPED_TEST(one_record_of_a_collective, scatter) {
    auto* const all = this->all_.data();
    one_record("scatter(const communicator &, const std::vector<T> &, T &, int)", operation::scatter,
               [&] { scatter(world(), this->one_each_, this->out_, this->root); });
    one_record("scatter(const communicator &, const T *, T &, int)", operation::scatter,
               [&] { scatter<TypeParam>(world(), this->one_each_.data(), this->out_, this->root); });
    one_record("scatter(const communicator &, const std::vector<T> &, T *, int, int)", operation::scatter,
               [&] { scatter(world(), this->parts_, all, 2, this->root); });
    one_record("scatter(const communicator &, const T *, T *, int, int)", operation::scatter,
               [&] { scatter(world(), this->parts_.data(), all, 2, this->root); });
}

TYPED_TEST(one_record_of_a_collective, scatter_from_another_rank) {
    auto* const all = this->all_.data();
    if (this->is_root()) {
        scatter(world(), this->one_each_, this->out_, this->root);
        scatter(world(), this->parts_, all, 2, this->root);
        return;
    }
    one_record("scatter(const communicator &, T &, int)", operation::scatter,
               [&] { scatter(world(), this->out_, this->root); });
    one_record("scatter(const communicator &, T *, int, int)", operation::scatter,
               [&] { scatter(world(), all, 2, this->root); });
}

TYPED_TEST(one_record_of_a_collective, scatterv) {
    auto const& parts = this->parts_;
    auto* const all = this->all_.data();
    if (!this->is_root()) {
        // Boost has these too, with nothing to send.
        TypeParam const* const none = nullptr;
        std::vector<TypeParam> const empty;
        one_record("scatterv(const communicator &, const T *, T *, int, int)", operation::scatterv,
                   [&] { scatterv(world(), none, all, 2, this->root); });
        one_record("scatterv(const communicator &, const std::vector<T> &, T *, int, int)",
                   operation::scatterv, [&] { scatterv(world(), empty, all, 2, this->root); });
        for (int call = 0; call < 2; ++call) {
            one_record("scatterv(const communicator &, T *, int, int)", operation::scatterv,
                       [&] { scatterv(world(), all, 2, this->root); });
        }
        return;
    }
    one_record("scatterv(const communicator &, const std::vector<T> &, const std::vector<int> &, "
               "const std::vector<int> &, T *, int, int)",
               operation::scatterv,
               [&] { scatterv(world(), parts, this->sizes_, this->displacements_, all, 2, this->root); });
    one_record("scatterv(const communicator &, const T *, const std::vector<int> &, "
               "const std::vector<int> &, T *, int, int)",
               operation::scatterv, [&] {
                   scatterv(world(), parts.data(), this->sizes_, this->displacements_, all, 2, this->root);
               });
    one_record("scatterv(const communicator &, const T *, const std::vector<int> &, T *, int)",
               operation::scatterv, [&] { scatterv(world(), parts.data(), this->sizes_, all, this->root); });
    one_record("scatterv(const communicator &, const std::vector<T> &, const std::vector<int> &, T *, int)",
               operation::scatterv, [&] { scatterv(world(), parts, this->sizes_, all, this->root); });
}

TYPED_TEST(one_record_of_a_collective, all_to_all) {
    auto* const all = this->all_.data();
    one_record("all_to_all(const communicator &, const std::vector<T> &, std::vector<T> &)",
               operation::alltoall, [&] { all_to_all(world(), this->one_each_, this->all_); });
    one_record("all_to_all(const communicator &, const T *, T *)", operation::alltoall,
               [&] { all_to_all(world(), this->one_each_.data(), all); });
    one_record("all_to_all(const communicator &, const std::vector<T> &, int, std::vector<T> &)",
               operation::alltoall, [&] { all_to_all(world(), this->parts_, 2, this->all_); });
    this->all_.resize(this->parts_.size());
    one_record("all_to_all(const communicator &, const T *, int, T *)", operation::alltoall,
               [&] { all_to_all(world(), this->parts_.data(), 2, this->all_.data()); });
}

}  // namespace

}  // namespace one_record_tests
