// Messages. A rank sends them to itself: they are small enough to be buffered.
#include "tests/boost_mpi/one_record/one_record.hpp"

#include <boost/mpi/skeleton_and_content.hpp>

namespace one_record_tests {

namespace {

template <class T>
class one_record_of_a_message : public testing::Test {};

TYPED_TEST_SUITE(one_record_of_a_message, types);

constexpr int tag = 3;

/// Takes a message off the rank's hands.
template <class T>
void take() {
    T taken{};
    plain().recv(self(), tag, taken);
}

template <class T>
boost::mpi::request post(T const& sent) {
    return plain().isend(self(), tag, sent);
}

TYPED_TEST(one_record_of_a_message, send) {
    auto const value = one_record_tests::value<TypeParam>();
    auto const vector = values<TypeParam>(3);
    auto received = vector;
    one_record("communicator::send(int, int, const T &)", operation::send,
               [&] { world().send(self(), tag, value); });
    take<TypeParam>();
    one_record("communicator::send(int, int, const std::vector<T, A> &)", operation::send,
               [&] { world().send(self(), tag, vector); });
    plain().recv(self(), tag, received);
    one_record("communicator::send(int, int, const T *, int)", operation::send,
               [&] { world().send(self(), tag, vector.data(), 3); });
    plain().recv(self(), tag, received.data(), 3);
    one_record("communicator::send(int, int)", operation::send, [&] { world().send(self(), tag); });
    plain().recv(self(), tag);
}

TYPED_TEST(one_record_of_a_message, isend) {
    auto const value = one_record_tests::value<TypeParam>();
    auto const vector = values<TypeParam>(3);
    auto received = vector;
    request sent;
    one_record("communicator::isend(int, int, const T &)", operation::isend,
               [&] { sent = world().isend(self(), tag, value); });
    take<TypeParam>();
    sent.wait();
    one_record("communicator::isend(int, int, const std::vector<T, A> &)", operation::isend,
               [&] { sent = world().isend(self(), tag, vector); });
    plain().recv(self(), tag, received);
    sent.wait();
    one_record("communicator::isend(int, int, const T *, int)", operation::isend,
               [&] { sent = world().isend(self(), tag, vector.data(), 3); });
    plain().recv(self(), tag, received.data(), 3);
    sent.wait();
    one_record("communicator::isend(int, int)", operation::isend, [&] { sent = world().isend(self(), tag); });
    plain().recv(self(), tag);
    sent.wait();
}

TYPED_TEST(one_record_of_a_message, recv) {
    auto const value = one_record_tests::value<TypeParam>();
    auto const vector = values<TypeParam>(3);
    TypeParam received{};
    auto all = vector;
    auto sent = post(value);
    one_record("communicator::recv(int, int, T &)", operation::recv,
               [&] { world().recv(self(), tag, received); });
    sent.wait();
    sent = post(vector);
    one_record("communicator::recv(int, int, std::vector<T, A> &)", operation::recv,
               [&] { world().recv(self(), tag, all); });
    sent.wait();
    sent = plain().isend(self(), tag, vector.data(), 3);
    one_record("communicator::recv(int, int, T *, int)", operation::recv,
               [&] { world().recv(self(), tag, all.data(), 3); });
    sent.wait();
    sent = plain().isend(self(), tag);
    one_record("communicator::recv(int, int)", operation::recv, [&] { world().recv(self(), tag); });
    sent.wait();
}

TYPED_TEST(one_record_of_a_message, irecv) {
    auto const value = one_record_tests::value<TypeParam>();
    auto const vector = values<TypeParam>(3);
    TypeParam received{};
    auto all = vector;
    request posted;
    one_record("communicator::irecv(int, int, T &)", operation::irecv,
               [&] { posted = world().irecv(self(), tag, received); });
    plain().send(self(), tag, value);
    posted.wait();
    one_record("communicator::irecv(int, int, std::vector<T, A> &)", operation::irecv,
               [&] { posted = world().irecv(self(), tag, all); });
    plain().send(self(), tag, vector);
    posted.wait();
    one_record("communicator::irecv(int, int, T *, int)", operation::irecv,
               [&] { posted = world().irecv(self(), tag, all.data(), 3); });
    plain().send(self(), tag, vector.data(), 3);
    posted.wait();
    one_record("communicator::irecv(int, int)", operation::irecv,
               [&] { posted = world().irecv(self(), tag); });
    plain().send(self(), tag);
    posted.wait();
}

TYPED_TEST(one_record_of_a_message, sendrecv) {
    auto const value = one_record_tests::value<TypeParam>();
    TypeParam received{};
    one_record("communicator::sendrecv(int, int, const T &, int, int, T &)", operation::sendrecv,
               [&] { world().sendrecv(self(), tag, value, self(), tag, received); });
    EXPECT_EQ(received, value);
}

TYPED_TEST(one_record_of_a_message, probe) {
    auto sent = post(value<TypeParam>());
    one_record("communicator::probe(int, int)", operation::probe, [] { world().probe(self(), tag); });
    one_record("communicator::iprobe(int, int)", operation::iprobe, [] { world().iprobe(self(), tag); });
    take<TypeParam>();
    sent.wait();
    one_record("communicator::iprobe(int, int)", operation::iprobe, [] { world().iprobe(self(), tag); });
}

TYPED_TEST(one_record_of_a_message, skeletons_and_contents) {
    auto const all = values<TypeParam>(3);
    auto into = all;
    auto const shape = boost::mpi::skeleton(all);
    auto const read = boost::mpi::skeleton(into);
    auto written = boost::mpi::skeleton(into);
    request sent;
    one_record("communicator::send(int, int, const skeleton_proxy<T> &)", operation::send,
               [&] { world().send(self(), tag, shape); });
    one_record("communicator::recv(int, int, const skeleton_proxy<T> &)", operation::recv,
               [&] { world().recv(self(), tag, read); });
    one_record("communicator::isend(int, int, const skeleton_proxy<T> &)", operation::isend,
               [&] { sent = world().isend(self(), tag, shape); });
    one_record("communicator::recv(int, int, skeleton_proxy<T> &)", operation::recv,
               [&] { world().recv(self(), tag, written); });
    sent.wait();
    auto const inside = boost::mpi::get_content(all);
    one_record("communicator::send(int, int, const T &)", operation::send,
               [&] { world().send(self(), tag, inside); });
    one_record("communicator::recv(int, int, T &)", operation::recv,
               [&] { world().recv(self(), tag, boost::mpi::get_content(into)); });
    EXPECT_EQ(into, all);
}

TYPED_TEST(one_record_of_a_message, archives) {
    boost::mpi::packed_oarchive out(plain());
    boost::mpi::packed_iarchive in(plain());
    out << value<TypeParam>();
    one_record("communicator::send(int, int, const T &)", operation::send,
               [&] { world().send(self(), tag, out); });
    one_record("communicator::recv(int, int, T &)", operation::recv, [&] { world().recv(self(), tag, in); });
    TypeParam received{};
    in >> received;
    EXPECT_EQ(received, value<TypeParam>());
}

}  // namespace

}  // namespace one_record_tests
