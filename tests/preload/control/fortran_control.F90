! Two ranks say what is to be recorded: by MPI_PCONTROL, by any binding, and by mpiprof's routines.
#if BINDING == 2
#define ERROR
#else
#define ERROR , error
#endif
program fortran_control
#if BINDING == 1
  use mpi
#elif BINDING == 2
  use mpi_f08
#endif
  implicit none
#if BINDING == 0
  include 'mpif.h'
#endif
  external :: mpiprof_pause, mpiprof_resume, mpiprof_reset, mpiprof_phase_begin, mpiprof_phase_end
  integer :: error, i

  call MPI_Pcontrol(0)
  call MPI_Pcontrol(1)
  call MPI_Init(error)
  call mpiprof_reset()
  call MPI_Barrier(MPI_COMM_WORLD ERROR)
  call MPI_Pcontrol(0)
  call MPI_Barrier(MPI_COMM_WORLD ERROR)
  call MPI_Pcontrol(1)
  call mpiprof_phase_begin("solve   ")
  do i = 1, 2
    call MPI_Barrier(MPI_COMM_WORLD ERROR)
  end do
  call mpiprof_pause()
  call MPI_Barrier(MPI_COMM_WORLD ERROR)
  call mpiprof_resume()
  call mpiprof_phase_end()
  call MPI_Pcontrol(7777)
  call MPI_Finalize(error)
  call MPI_Pcontrol(0)
  print '(a)', "done"
end program fortran_control
