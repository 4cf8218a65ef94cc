"""Messages of two ranks: an object, which mpi4py pickles, and a buffer."""

from mpi4py import MPI

world = MPI.COMM_WORLD
if world.rank == 0:
    world.send({"a": 7}, 1, 3)
    world.Send(bytearray(24), 1, 4)
else:
    print(world.recv(source=MPI.ANY_SOURCE, tag=3))
    buffer, status = bytearray(100), MPI.Status()
    world.Recv(buffer, MPI.ANY_SOURCE, MPI.ANY_TAG, status)
    print(status.source, status.tag, status.Get_count(MPI.BYTE))
