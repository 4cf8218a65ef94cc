"""mpi4py: buffers by messages, collectives, one-sided communication and files, on several communicators."""

import array
import os
import sys

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
after, before = (rank + 1) % size, (rank - 1) % size


def say(*what):
    sys.stdout.write(f"rank {rank}: {' '.join(map(str, what))}\n")
    sys.stdout.flush()


mine = array.array("d", [rank] * 100)
theirs = array.array("d", [0] * 100)
requests = [world.Irecv(theirs, source=before), world.Isend(mine, dest=after)]
MPI.Request.Waitall(requests)
say(sum(theirs))
world.Sendrecv(mine, after, recvbuf=theirs, source=before)

column = MPI.DOUBLE.Create_vector(10, 1, 10).Commit()
world.Sendrecv([mine, 1, column], after, recvbuf=[theirs, 1, column], source=before)
column.Free()

world.Allreduce(mine, theirs)
say(theirs[0])
world.Allreduce(MPI.IN_PLACE, theirs, op=MPI.MAX)
world.Bcast(theirs, root=size - 1)
world.Allgatherv([mine, rank + 1], [array.array("d", [0] * size * size), [i + 1 for i in range(size)]])
world.Reduce(MPI.IN_PLACE if rank == 0 else mine, theirs if rank == 0 else None)
world.Barrier()

half = world.Split(rank % 2, rank)
half.Set_name(f"half {rank % 2}")
half.Bcast(theirs)
half.Free()
world.Dup().Free()

counter = array.array("q", [0])
window = MPI.Win.Create(counter, disp_unit=8, comm=world)
window.Fence()
window.Accumulate(array.array("q", [rank + 1]), 0)
window.Fence()
result = array.array("q", [0])
window.Lock(0, MPI.LOCK_SHARED)
window.Get(result, 0)
window.Unlock(0)
say(result[0])
window.Fence()
window.Put(array.array("q", [rank]), after)
window.Fence()
say(counter[0])
window.Free()

file = MPI.File.Open(world, "buffers.data", MPI.MODE_CREATE | MPI.MODE_RDWR)
file.Write_at_all(rank * 800, mine)
file.Sync()
world.Barrier()
file.Sync()
file.Read_at(before * 800, theirs)
say(sum(theirs))
file.Close()
say(os.path.getsize("buffers.data"))
