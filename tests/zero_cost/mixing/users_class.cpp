// A user's class of one name that is another in units of another setting: what must not be.
#include <mpiprof/raw.hpp>

class users_class {
  public:
    int send(int value) const { return world_.send(MPI_PROC_NULL, 7, &value, 1); }

  private:
    decltype(mpiprof::profile(MPI_COMM_SELF)) world_ = mpiprof::profile(MPI_COMM_SELF);
};

int UNIT() { return users_class{}.send(1); }
