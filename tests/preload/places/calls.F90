! Two ranks; each call stands on a line of its own, marked with its operation.
program calls
#ifdef WITH_MPI_F08
  use mpi_f08
#endif
#ifdef WITH_MPI
  use mpi
#endif
  implicit none
#ifdef WITH_MPIF_H
  include 'mpif.h'
#endif
#ifdef WITH_MPI_F08
  type(MPI_Request) :: requests(2)
#else
  integer :: requests(2)
#endif
  integer :: rank, ranks, ierr, i, mine, theirs

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  mine = rank
  do i = 1, 3
    call MPI_Irecv(theirs, 1, MPI_INTEGER, ranks - 1 - rank, 1, MPI_COMM_WORLD, requests(1), ierr)  ! mark irecv
    call MPI_Isend(mine, 1, MPI_INTEGER, ranks - 1 - rank, 1, MPI_COMM_WORLD, requests(2), ierr)  ! mark isend
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)  ! mark waitall
  end do
  if (rank == 0) then
    call MPI_Send(mine, 1, MPI_INTEGER, 1, 2, MPI_COMM_WORLD, ierr)  ! mark send
  else
    call MPI_Recv(theirs, 1, MPI_INTEGER, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)  ! mark recv
  end if
  call exchange(theirs)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)  ! mark barrier
  call MPI_Finalize(ierr)
contains
  subroutine exchange(value)
    integer, intent(inout) :: value
    call MPI_Allreduce(MPI_IN_PLACE, value, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)  ! mark allreduce
    call MPI_Bcast(value, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)  ! mark bcast
  end subroutine exchange
end program calls
