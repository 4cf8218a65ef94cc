"""MPI by ctypes, as script languages do: functions from dlsym."""

import ctypes
import os
import sys

mpi = ctypes.CDLL(sys.argv[1], mode=os.RTLD_LOCAL | os.RTLD_NOW)
if "mpich" in sys.argv[1]:
    world, integer, ignore = 0x44000000, 0x4C000405, ctypes.c_void_p(1)
else:
    world, integer = (ctypes.c_void_p(ctypes.addressof(ctypes.c_char.in_dll(mpi, name)))
                      for name in ("ompi_mpi_comm_world", "ompi_mpi_int"))
    ignore = None
assert mpi.MPI_Init(None, None) == 0
mine, yours, rank = (ctypes.c_int * 3)(1, 2, 3), (ctypes.c_int * 3)(), ctypes.c_int()
mpi.MPI_Comm_rank(world, ctypes.byref(rank))
partner = 1 - rank.value
mpi.MPI_Sendrecv(mine, 3, integer, partner, 1, yours, 3, integer, partner, 1, world, ignore)
print(rank.value, list(yours), flush=True)
assert mpi.MPI_Finalize() == 0
