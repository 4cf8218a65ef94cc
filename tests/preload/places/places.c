/* Calls of a function that is no MPI's, from places of several kinds. What follows each call keeps compilers from
 * jumping there in its stead. */
extern int touch(int);

static volatile int sum;

static inline __attribute__((always_inline)) void inlined(int value) {
    sum += touch(value); // mark inlined
}

__attribute__((noinline)) void solve(int value) {
    sum += touch(value); // mark solve
    sum -= touch(value + 1); // mark solve_again
}

__attribute__((noinline)) void twice(int value) {
    inlined(value);
    sum = 0;
    inlined(value + 1);
}

__attribute__((noinline)) static void hidden(void) {
    sum += touch(5); // mark hidden
}

int all(int value) {
    solve(value);
    twice(value);
    hidden();
    sum += touch(1); // mark all
    return sum;
}
