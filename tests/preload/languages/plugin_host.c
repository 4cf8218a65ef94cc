/* plugin_host PLUGIN: a program without MPI that loads a plugin with MPI, and keeps its symbols apart as
 * Python does. */
#include <dlfcn.h>
#include <stdio.h>

typedef int plugin_main(int, char**);

int main(int argc, char** argv) {
    void* const plugin = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    plugin_main* run;
    if (!plugin) {
        fprintf(stderr, "plugin_host: %s\n", argc == 2 ? dlerror() : "which plugin?");
        return 1;
    }
    *(void**)&run = dlsym(plugin, "plugin_main");
    return run ? run(argc, argv) : 1;
}
