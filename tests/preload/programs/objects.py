"""mpi4py: pickled objects by messages and by collectives."""

import sys

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size


def say(*what):
    sys.stdout.write(f"rank {rank}: {' '.join(map(str, what))}\n")
    sys.stdout.flush()


if rank == 0:
    world.send({"a": 7}, dest=1, tag=3)
    world.Send(bytearray(24), dest=1, tag=4)
elif rank == 1:
    say(world.recv(source=MPI.ANY_SOURCE, tag=MPI.ANY_TAG))
    status = MPI.Status()
    data = bytearray(100)
    world.Recv(data, source=MPI.ANY_SOURCE, tag=MPI.ANY_TAG, status=status)
    say(status.Get_count(MPI.BYTE), status.source, status.tag)

say(world.bcast(list(range(10)) if rank == 0 else None))
say(world.gather("x" * rank))
say(world.scatter([(i, str(i)) for i in range(size)] if rank == 0 else None))
say(world.allgather({rank}))
say(world.alltoall([rank * 100 + i for i in range(size)]))
say(world.allreduce(rank + 0.5, op=MPI.MAX))
say(world.sendrecv([rank] * 3, dest=(rank + 1) % size, source=(rank - 1) % size))

request = world.isend({"late": rank}, dest=(rank + 1) % size)
say(world.irecv(source=(rank - 1) % size).wait())
request.wait()
