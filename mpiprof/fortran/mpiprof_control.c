/* To be compiled into a Fortran program that controls mpiprof: the functions with Fortran's names, which do
 * nothing where mpiprof is not there. */
#include <mpiprof/control.h>

#include <stdlib.h>
#include <string.h>

#define MPIPROF_WEAK __attribute__((weak))

void MPIPROF_WEAK mpiprof_pause_(void);
void MPIPROF_WEAK mpiprof_resume_(void);
void MPIPROF_WEAK mpiprof_reset_(void);
void MPIPROF_WEAK mpiprof_write_snapshot_(void);
void MPIPROF_WEAK mpiprof_phase_begin_(const char* name, size_t length);
void MPIPROF_WEAK mpiprof_phase_end_(void);

void mpiprof_pause_(void) { mpiprof_pause(); }
void mpiprof_resume_(void) { mpiprof_resume(); }
void mpiprof_reset_(void) { mpiprof_reset(); }
void mpiprof_write_snapshot_(void) { mpiprof_write_snapshot(); }
void mpiprof_phase_end_(void) { mpiprof_phase_end(); }

/* Fortran's texts end with blanks, and their length follows the arguments. */
void mpiprof_phase_begin_(const char* name, size_t length) {
    char small[256];
    char* text = small;
    while (length > 0 && name[length - 1] == ' ') --length;
    if (length >= sizeof small) text = malloc(length + 1);
    if (text != NULL) {
        memcpy(text, name, length);
        text[length] = '\0';
    }
    /* Without memory it has no name, but still its end. */
    mpiprof_phase_begin(text);
    if (text != small) free(text);
}
