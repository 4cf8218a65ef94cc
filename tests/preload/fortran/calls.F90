! The calls of calls.c, by the binding that BINDING names: 0 mpif.h, 1 `use mpi`, 2 `use mpi_f08`. Two ranks.
! Arguments: a file to write; then, to start by MPI_Init_thread, the level of thread support that is asked for.
! Prints what calls.c prints; line by line, for the ranks' lines mix.
#if BINDING == 2
#define STATUS_FIELD(field) status%field
#define STATUSES_FIELD(index, field) statuses(index)%field
#else
#define STATUS_FIELD(field) status(field)
#define STATUSES_FIELD(index, field) statuses(field, index)
#endif

program calls
#if BINDING == 2
   use mpi_f08
   implicit none
   type(MPI_Comm) :: world, part, copy
   type(MPI_Request) :: request, requests(8)
   type(MPI_Status) :: status, statuses(3)
   type(MPI_Datatype) :: absolute, types(0:1)
   type(MPI_Win) :: window
   type(MPI_File) :: file
#else
#if BINDING == 1
   use mpi
   implicit none
#else
   implicit none
   include 'mpif.h'
#endif
   integer :: world, part, copy, request, requests(8), status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 3)
   integer :: absolute, types(0:1), window, file
#endif
   integer, parameter :: integer_nbytes = 4
   character(len=*), parameter :: line = '(i0, 1x, a, *(1x, i0))'
   character(len=4096) :: path, level
   character(len=MPI_MAX_LIBRARY_VERSION_STRING) :: library
   integer :: rank, partner, ranks, error, number, version, subversion, length
   logical :: flags(4)

   call get_command_argument(1, path)
   call get_command_argument(2, level)
   call MPI_Initialized(flags(1), error)
   call MPI_Finalized(flags(2), error)
   call MPI_Get_version(version, subversion, error)
   call MPI_Get_library_version(library, length, error)
   if (level == '') then
      call MPI_Init(error)
   else
      read (level, *) number
      call MPI_Init_thread(thread_level(number), number, error)
   end if

   world = MPI_COMM_WORLD
   call MPI_Comm_rank(world, rank, error)
   call MPI_Comm_size(world, ranks, error)
   partner = 1 - rank
   if (ranks /= 2) call MPI_Abort(world, 2, error)

   call blocking()
   call absolute_address()
   call exchanges()
   call nonblocking()
   call indices()
   call in_place()
   call communicators()
   call persistent()
   call halo()
   call sections()
   call one_sided()
   call files()
   call errors()

   call MPI_Finalize(error)
   call MPI_Initialized(flags(3), error)
   call MPI_Finalized(flags(4), error)
   call MPI_Get_version(number, length, error)
   if (number /= version .or. length /= subversion) error stop 3
   print '(i0, 1x, a, 4(1x, l1))', rank, 'initialized, finalized', flags

contains

   integer function thread_level(number)
      integer, intent(in) :: number
      integer :: levels(0:3)
      levels = [MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE]
      thread_level = levels(number)
   end function

   subroutine blocking()
      integer :: six(6), answer, many(10), count
      many = 0
      if (rank == 0) then
         six = [1, 2, 3, 4, 5, 6]
         call MPI_Send(six, 6, MPI_INTEGER, partner, 9, world, error)
         call MPI_Recv(answer, 1, MPI_INTEGER, partner, 3, world, MPI_STATUS_IGNORE, error)
         print line, rank, 'blocking', answer
      else
         call MPI_Recv(many, 10, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, world, status, error)
         call MPI_Get_count(status, MPI_INTEGER, count, error)
         print line, rank, 'blocking', STATUS_FIELD(MPI_SOURCE), STATUS_FIELD(MPI_TAG), count, many
         answer = sum(many)
         call MPI_Send(answer, 1, MPI_INTEGER, partner, 3, world, error)
      end if
   end subroutine

   subroutine absolute_address()
      integer, volatile :: value  ! The compiler does not see what MPI_BOTTOM changes.
      integer(kind=MPI_ADDRESS_KIND) :: places(1)
      value = 40 + rank
      call MPI_Get_address(value, places(1), error)
      types(0) = MPI_INTEGER
      call MPI_Type_create_struct(1, [1], places, types, absolute, error)
      call MPI_Type_commit(absolute, error)
      if (rank == 0) call MPI_Send(MPI_BOTTOM, 1, absolute, partner, 5, world, error)
      if (rank == 1) call MPI_Recv(MPI_BOTTOM, 1, absolute, partner, 5, world, MPI_STATUS_IGNORE, error)
      call MPI_Type_free(absolute, error)
      print line, rank, 'bottom', value
   end subroutine

   subroutine exchanges()
      double precision :: replaced(3)
      integer :: mine(2), yours(2)
      replaced = rank + 0.5d0
      call MPI_Sendrecv_replace(replaced, 3, MPI_DOUBLE_PRECISION, partner, 1, partner, 1, world, status, error)
      print line, rank, 'sendrecv_replace', STATUS_FIELD(MPI_SOURCE), nint(10 * replaced)
      mine = [rank, 7]
      call MPI_Sendrecv(mine, 2, MPI_INTEGER, partner, 2, yours, 2, MPI_INTEGER, partner, 2, world, MPI_STATUS_IGNORE, error)
      print line, rank, 'sendrecv', yours
   end subroutine

   subroutine nonblocking()
      integer, asynchronous :: mine(5), yours(5)
      mine = rank + 10
      call MPI_Irecv(yours, 5, MPI_INTEGER, partner, 11, world, requests(1), error)
      call MPI_Isend(mine, 5, MPI_INTEGER, partner, 11, world, requests(2), error)
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
      print line, rank, 'statuses ignored', yours
      call MPI_Irecv(yours, 5, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, world, requests(1), error)
      call MPI_Isend(mine, 3, MPI_INTEGER, partner, 12, world, requests(2), error)
      call MPI_Waitall(2, requests, statuses, error)
      print line, rank, 'statuses', STATUSES_FIELD(1, MPI_SOURCE), STATUSES_FIELD(1, MPI_TAG)
      call MPI_Irecv(yours, 5, MPI_INTEGER, partner, 13, world, request, error)
      call MPI_Send(mine, 4, MPI_INTEGER, partner, 13, world, error)
      call MPI_Wait(request, MPI_STATUS_IGNORE, error)
      print line, rank, 'wait', yours
   end subroutine

   subroutine indices()
      integer, asynchronous :: mine(2), yours(2)
      integer :: index, completed(3), count
      logical :: flag
      mine = rank + 20
      requests = MPI_REQUEST_NULL
      call MPI_Irecv(yours, 2, MPI_INTEGER, partner, 14, world, requests(2), error)
      call MPI_Send(mine, 2, MPI_INTEGER, partner, 14, world, error)
      call MPI_Waitany(3, requests, index, status, error)
      print line, rank, 'waitany', index, STATUS_FIELD(MPI_TAG), yours
      call MPI_Irecv(yours, 2, MPI_INTEGER, partner, 15, world, requests(3), error)
      call MPI_Send(mine, 1, MPI_INTEGER, partner, 15, world, error)
      call MPI_Waitsome(3, requests, count, completed, MPI_STATUSES_IGNORE, error)
      print line, rank, 'waitsome', count, completed(1)
      call MPI_Waitany(3, requests, index, MPI_STATUS_IGNORE, error)
      call MPI_Waitsome(3, requests, count, completed, statuses, error)
      print '(i0, 1x, a, 2(1x, l1))', rank, 'undefined', index == MPI_UNDEFINED, count == MPI_UNDEFINED
      call MPI_Testany(3, requests, index, flag, MPI_STATUS_IGNORE, error)
      call MPI_Testsome(3, requests, count, completed, MPI_STATUSES_IGNORE, error)
      print '(i0, 1x, a, 3(1x, l1))', rank, 'undefined', flag, index == MPI_UNDEFINED, count == MPI_UNDEFINED
   end subroutine

   subroutine in_place()
      integer :: x, both(4), ones(0:1), places(0:1)
      x = rank + 1
      call MPI_Allreduce(MPI_IN_PLACE, x, 1, MPI_INTEGER, MPI_SUM, world, error)
      print line, rank, 'allreduce', x
      both = rank + 1
      if (rank == 0) then
         call MPI_Gather(MPI_IN_PLACE, 2, MPI_INTEGER, both, 2, MPI_INTEGER, 0, world, error)
      else
         call MPI_Gather(both, 2, MPI_INTEGER, both, 2, MPI_INTEGER, 0, world, error)
      end if
      print line, rank, 'gather', both
      both = [10 * rank, 10 * rank + 1, 10 * rank + 2, 10 * rank + 3]
      ones = [1, 2]
      if (rank == 1) ones = [2, 2]
      places = [0, 2 * integer_nbytes]
      types = MPI_INTEGER
      call MPI_Alltoallw(MPI_IN_PLACE, ones, places, types, both, ones, places, types, world, error)
      print line, rank, 'alltoallw', both
   end subroutine

   subroutine communicators()
      double precision :: values(4)
      integer :: part_rank, color
      call MPI_Comm_split(world, 0, -rank, part, error)
      call MPI_Comm_rank(part, part_rank, error)
      values = rank
      call MPI_Bcast(values, 4, MPI_DOUBLE_PRECISION, 0, part, error)
      call MPI_Comm_dup(part, copy, error)
#if BINDING == 2
      call MPI_Barrier(copy)
#else
      call MPI_Barrier(copy, error)
#endif
      call MPI_Comm_free(copy, error)
      call MPI_Comm_free(part, error)
      print line, rank, 'split', part_rank, nint(values)
      color = merge(0, MPI_UNDEFINED, rank == 0)
      call MPI_Comm_split(world, color, 0, part, error)
      print '(i0, 1x, a, 2(1x, l1))', rank, 'null', part == MPI_COMM_NULL, copy == MPI_COMM_NULL
      if (part /= MPI_COMM_NULL) call MPI_Comm_free(part, error)
   end subroutine

   subroutine persistent()
      integer, asynchronous :: mine(4), yours(4)
      integer :: total
      call MPI_Recv_init(yours, 4, MPI_INTEGER, partner, 16, world, requests(1), error)
      call MPI_Send_init(mine, 4, MPI_INTEGER, partner, 16, world, requests(2), error)
      mine = rank + 1
      call MPI_Startall(2, requests, error)
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
      total = sum(yours)
      mine = rank + 3
      call MPI_Start(requests(1), error)
      call MPI_Start(requests(2), error)
      call MPI_Wait(requests(1), status, error)
      call MPI_Wait(requests(2), MPI_STATUS_IGNORE, error)
      call MPI_Request_free(requests(1), error)
      call MPI_Request_free(requests(2), error)
      print line, rank, 'persistent', total, sum(yours)
   end subroutine

   ! Two ranks in a row that closes to a ring, each also its own upper and lower neighbour.
   subroutine halo()
      integer, asynchronous :: mine(100, 4), yours(100, 4)
      integer :: neighbours(4), opposite(4), side
      double precision :: largest
      neighbours = [partner, partner, rank, rank]
      opposite = [2, 1, 4, 3]
      do side = 1, 4
         mine(:, side) = 10 * rank + side
         call MPI_Irecv(yours(1, side), 100, MPI_INTEGER, neighbours(side), opposite(side), world, requests(side), error)
      end do
      do side = 1, 4
         call MPI_Isend(mine(1, side), 100, MPI_INTEGER, neighbours(side), side, world, requests(4 + side), error)
      end do
      call MPI_Waitall(8, requests, MPI_STATUSES_IGNORE, error)
      call MPI_Allreduce(dble(maxval(yours)), largest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, world, error)
      print line, rank, 'halo', yours(100, :), nint(largest)
   end subroutine

   subroutine sections()
      integer :: every(10), number
      every = [(100 * rank + number, number = 1, 10)]
      if (rank == 0) call MPI_Send(every(1:10:2), 5, MPI_INTEGER, partner, 17, world, error)
      if (rank == 1) call MPI_Recv(every(2:10:2), 5, MPI_INTEGER, partner, 17, world, MPI_STATUS_IGNORE, error)
      print line, rank, 'section', every
   end subroutine

   subroutine one_sided()
      integer, asynchronous :: exposed(8), mine(3), fetched(2)
      exposed = rank
      mine = 30 + rank
      call MPI_Win_create(exposed, int(8 * integer_nbytes, MPI_ADDRESS_KIND), integer_nbytes, MPI_INFO_NULL, world, window, error)
      call MPI_Win_fence(0, window, error)
      call MPI_Put(mine, 3, MPI_INTEGER, partner, 2_MPI_ADDRESS_KIND, 3, MPI_INTEGER, window, error)
      call MPI_Win_fence(0, window, error)
      call MPI_Get(fetched, 2, MPI_INTEGER, partner, 4_MPI_ADDRESS_KIND, 2, MPI_INTEGER, window, error)
      call MPI_Win_fence(0, window, error)
      call MPI_Win_free(window, error)
      print line, rank, 'window', exposed, fetched
   end subroutine

   subroutine files()
      integer :: mine(4), again(2)
      mine = 50 + rank
      call MPI_File_open(world, trim(path), MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file, error)
      call MPI_File_write_at(file, int(16 * rank, MPI_OFFSET_KIND), mine, 4, MPI_INTEGER, MPI_STATUS_IGNORE, error)
      call MPI_File_read_at(file, int(16 * rank, MPI_OFFSET_KIND), again, 2, MPI_INTEGER, status, error)
      call MPI_File_close(file, error)
      print line, rank, 'file', again
   end subroutine

   subroutine errors()
      integer :: class, of_send
      call MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN, error)
      call MPI_Send(rank, 1, MPI_INTEGER, 7, 1, world, of_send)
      call MPI_Error_class(of_send, class, error)
      print '(i0, 1x, a, 1x, l1)', rank, 'error', class == MPI_ERR_RANK
   end subroutine
end program
