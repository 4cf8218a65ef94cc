/* The C part of a program. */
#include <mpiprof/control.h>

void pause_in_c(void);
void resume_in_c(void);
void begin_phase_in_c(const char* name);
void end_phase_in_c(void);

void pause_in_c(void) { mpiprof_pause(); }
void resume_in_c(void) { mpiprof_resume(); }
void begin_phase_in_c(const char* name) { mpiprof_phase_begin(name); }
void end_phase_in_c(void) { mpiprof_phase_end(); }
