// Completing requests.
#include "tests/boost_mpi/one_record/one_record.hpp"

#include <iterator>

namespace one_record_tests {

namespace {

template <class T>
class one_record_of_requests : public testing::Test {
  protected:
    /// Receives of messages that are under way from the rank itself.
    requests arriving() {
        requests posted;
        for (auto& each : received_) {
            plain().send(self(), 3, value<T>());
            posted.push_back(world().irecv(self(), 3, each));
        }
        return posted;
    }

    /// Completes what is left, uncounted.
    static void finish(requests& left) { boost::mpi::wait_all(left.begin(), left.end()); }

  private:
    std::vector<T> received_ = std::vector<T>(2);
};

TYPED_TEST_SUITE(one_record_of_requests, types);

TYPED_TEST(one_record_of_requests, alone) {
    auto posted = this->arriving();
    one_record("request::wait()", operation::wait, [&] { posted[0].wait(); });
    one_record("request::test()", operation::test, [&] { posted[1].test(); });
    this->finish(posted);
}

TYPED_TEST(one_record_of_requests, cancelled) {
    TypeParam received{};
    auto posted = world().irecv(self(), 4, received);
    one_record("request::cancel()", operation::cancel, [&] { posted.cancel(); });
    // Boost 1.74 leaves a serialised receive to wait for ever.
    if (posted.trivial()) posted.wait();
}

TYPED_TEST(one_record_of_requests, any) {
    auto posted = this->arriving();
    one_record("wait_any(ForwardIterator, ForwardIterator)", operation::waitany,
               [&] { wait_any(posted.begin(), posted.end()); });
    one_record("test_any(ForwardIterator, ForwardIterator)", operation::testany,
               [&] { test_any(posted.begin(), posted.end()); });
    this->finish(posted);
}

TYPED_TEST(one_record_of_requests, all) {
    std::vector<boost::mpi::status> statuses;
    auto posted = this->arriving();
    one_record("wait_all(ForwardIterator, ForwardIterator)", operation::waitall,
               [&] { wait_all(posted.begin(), posted.end()); });
    posted = this->arriving();
    one_record("wait_all(ForwardIterator, ForwardIterator, OutputIterator)", operation::waitall,
               [&] { wait_all(posted.begin(), posted.end(), std::back_inserter(statuses)); });
    EXPECT_EQ(statuses.size(), 2U);
    // After a test_all that found all complete Boost's requests hold handles that are no more.
    bool complete = false;
    posted = this->arriving();
    one_record("test_all(ForwardIterator, ForwardIterator)", operation::testall,
               [&] { complete = test_all(posted.begin(), posted.end()); });
    if (!complete) this->finish(posted);
    posted = this->arriving();
    one_record("test_all(ForwardIterator, ForwardIterator, OutputIterator)", operation::testall, [&] {
        complete = bool(test_all(posted.begin(), posted.end(), std::back_inserter(statuses)));
    });
    if (!complete) this->finish(posted);
}

TYPED_TEST(one_record_of_requests, some) {
    std::vector<boost::mpi::status> statuses;
    auto posted = this->arriving();
    one_record("wait_some(BidirectionalIterator, BidirectionalIterator)", operation::waitsome,
               [&] { wait_some(posted.begin(), posted.end()); });
    this->finish(posted);
    posted = this->arriving();
    one_record("wait_some(BidirectionalIterator, BidirectionalIterator, OutputIterator)", operation::waitsome,
               [&] { wait_some(posted.begin(), posted.end(), std::back_inserter(statuses)); });
    this->finish(posted);
    posted = this->arriving();
    one_record("test_some(BidirectionalIterator, BidirectionalIterator)", operation::testsome,
               [&] { test_some(posted.begin(), posted.end()); });
    this->finish(posted);
    posted = this->arriving();
    one_record("test_some(BidirectionalIterator, BidirectionalIterator, OutputIterator)", operation::testsome,
               [&] { test_some(posted.begin(), posted.end(), std::back_inserter(statuses)); });
    this->finish(posted);
}

}  // namespace

}  // namespace one_record_tests
