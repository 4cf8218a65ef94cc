! A plugin in Fortran, for late_plugin_host.c: two ranks exchange a number.
subroutine exchange(rank) bind(C)
   use, intrinsic :: iso_c_binding, only: c_int
   use mpi_f08
   implicit none
   integer(c_int), value :: rank
   integer :: other
   call MPI_Sendrecv(rank, 1, MPI_INTEGER, 1 - rank, 1, other, 1, MPI_INTEGER, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
   print '(i0, 1x, i0)', rank, other
   flush (6)
end subroutine
