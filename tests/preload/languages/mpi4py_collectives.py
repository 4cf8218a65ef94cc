"""Collectives and nonblocking calls of two ranks, with arrays."""

from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, partner = world.rank, 1 - world.rank

values = array("d", [rank] * 4)
world.Bcast(values, root=1)
sums = array("i", [0] * 3)
world.Allreduce(array("i", [rank, 1, 2]), sums, op=MPI.SUM)
gathered = array("i", [0] * 4)
world.Allgather(array("i", [rank, rank + 10]), gathered)
world.Allreduce(MPI.IN_PLACE, sums, op=MPI.MAX)
world.Barrier()
print(rank, list(values), list(sums), list(gathered))

arrived = [array("i", [0] * count) for count in (1, 2)]
requests = [world.Irecv(each, partner, tag) for tag, each in enumerate(arrived)]
requests += [world.Isend(array("i", [rank] * count), partner, count - 1) for count in (1, 2)]
MPI.Request.Waitall(requests)

part = world.Split(rank)
part.Barrier()
part.Free()
window = MPI.Win.Create(array("i", [rank] * 2), disp_unit=4, comm=world)
fetched = array("i", [0])
window.Fence()
window.Get(fetched, partner, target=1)
window.Fence()
window.Free()
print(rank, [list(each) for each in arrived], list(fetched))
