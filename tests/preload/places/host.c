/* A program that gets MPI with a plug-in. */
#include <dlfcn.h>

int main(int argc, char** argv) {
    void* plugin = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : 0;
    if (plugin == 0) return 1;
    int (*run)(void) = (int (*)(void))dlsym(plugin, "run");
    return run == 0 || run();
}
