/* A program without MPI that asks whether it has it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

int MPI_Initialized(int* flag) __attribute__((weak));

int main(void) {
    int flag = 0;
    int (*found)(int*);
    if (MPI_Initialized) MPI_Initialized(&flag);
    printf("%d\n", flag);
    *(void**)&found = dlsym(RTLD_DEFAULT, "MPI_Finalized");
    if (found) found(&flag);
    printf("%d\n", flag);
    return 0;
}
