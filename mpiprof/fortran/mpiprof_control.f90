! What a Fortran program can say to mpiprof while it runs; compile mpiprof_control.c along. Nothing happens
! where mpiprof is not there. The same calls without this module work too.
module mpiprof_control
  use, intrinsic :: iso_c_binding, only: c_char, c_size_t
  implicit none
  private
  public :: mpiprof_pause, mpiprof_resume, mpiprof_reset, mpiprof_write_snapshot
  public :: mpiprof_phase_begin, mpiprof_phase_end

  interface
    ! Nothing is recorded until mpiprof_resume.
    subroutine mpiprof_pause() bind(C, name="mpiprof_pause_")
    end subroutine mpiprof_pause

    subroutine mpiprof_resume() bind(C, name="mpiprof_resume_")
    end subroutine mpiprof_resume

    ! Forgets what was recorded so far.
    subroutine mpiprof_reset() bind(C, name="mpiprof_reset_")
    end subroutine mpiprof_reset

    ! Writes the results so far to files.
    subroutine mpiprof_write_snapshot() bind(C, name="mpiprof_write_snapshot_")
    end subroutine mpiprof_write_snapshot

    subroutine begin_phase(name, length) bind(C, name="mpiprof_phase_begin_")
      import :: c_char, c_size_t
      character(kind=c_char), intent(in) :: name(*)
      integer(c_size_t), value :: length
    end subroutine begin_phase

    ! The calling thread leaves the phase that it began last.
    subroutine mpiprof_phase_end() bind(C, name="mpiprof_phase_end_")
    end subroutine mpiprof_phase_end
  end interface

contains

  ! The calling thread enters the phase of this name, without its blanks at the end. Phases nest.
  subroutine mpiprof_phase_begin(name)
    character(len=*, kind=c_char), intent(in) :: name
    call begin_phase(name, len(name, kind=c_size_t))
  end subroutine mpiprof_phase_begin

end module mpiprof_control
