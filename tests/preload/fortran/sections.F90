! Messages from and into array sections by `use mpi_f08`, on two ranks; also nonblocking ones where MPI takes descriptors.
! No call has its optional error argument.
program sections
   use mpi_f08
   implicit none
   integer, asynchronous :: row(10), table(4, 6)
   integer :: rank, partner, i
   type(MPI_Request) :: requests(2)
   type(MPI_Status) :: status

   call MPI_Init()
   call MPI_Comm_rank(MPI_COMM_WORLD, rank)
   partner = 1 - rank
   row = [(100 * rank + i, i = 1, 10)]
   table = reshape([(1000 * rank + i, i = 1, 24)], [4, 6])

   if (rank == 0) then
      call MPI_Send(row(1:10:2), 5, MPI_INTEGER, partner, 9, MPI_COMM_WORLD)
      call MPI_Recv(row(10:1:-3), 4, MPI_INTEGER, partner, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
   else
      call MPI_Recv(row(2:10:2), 5, MPI_INTEGER, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, status)
      call MPI_Send(row(1:4), 4, MPI_INTEGER, partner, 8, MPI_COMM_WORLD)
   end if
   call MPI_Bcast(table(2, :), 6, MPI_INTEGER, 1, MPI_COMM_WORLD)
   if (MPI_SUBARRAYS_SUPPORTED) then
      call MPI_Irecv(table(1:4:3, 1:6:5), 4, MPI_INTEGER, partner, 7, MPI_COMM_WORLD, requests(1))
      call MPI_Isend(table(3, 1:6:2), 3, MPI_INTEGER, partner, 7, MPI_COMM_WORLD, requests(2))
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
   end if
   print '(i0, *(1x, i0))', rank, row, table
   print '(l1)', MPI_SUBARRAYS_SUPPORTED
   call MPI_Finalize()
end program
