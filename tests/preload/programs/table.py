"""The programs to try: from Debian's packages, and of our own."""

import pathlib
import re

import preloaded
from runs import Program, mask_fractions

SCALAPACK = pathlib.Path("/usr/lib/x86_64-linux-gnu/scalapack")
SCALAPACK_INPUT = pathlib.Path("/usr/share/scalapack")


def scalapack(name, *inputs, ranks=None, edit=str, mask=mask_fractions, **known):
    """A test program of ScaLAPACK, with the package's own input, edited."""
    program = SCALAPACK / f"{preloaded.FAMILY}-tests" / name
    contents = {path.name: edit(path.read_text()) for path in (SCALAPACK_INPUT / each for each in inputs)}
    # MPICH's ranks poll, so that more of them than cores take long.
    ranks = ranks or (4 if preloaded.FAMILY == "openmpi" else 2)
    return Program(f"scalapack_{name.split('/')[-1]}", [program], ranks, contents, mask=mask, polls=("testall",), **known)


def without_refinement(text):
    """PDGERFS begins with a variable that it has not set, so that already another library changes its course."""
    return re.sub(r"(?m)^T(?=\s.*Test Cond)", "F", text)


def blacs_test(auxiliary):
    """The input of BLACS's tester, shortened; its auxiliary routines end by aborting."""
    def edit(text):
        text = re.sub(r"(?m)^'T'(?=\s+Run AUX)", auxiliary, text)
        return re.sub(r"(?m)^\d+(?=\s+Number of (precisions|topologies|matrices))", "2", text)
    return edit


def mask_blacs(text):
    """It skips what it cannot try because no two messages came in another order, which depends on time."""
    return re.sub(r"(SKIPPED|PASSED)\s+REPEATABLE", "REPEATABLE", mask_fractions(text))


BLACS_INPUT = [f"BLACS/{name}.dat" for name in ("bt", "sdrv", "bsbr", "comb")]

# Its parts take a moment each with problems of this size.
HPCC_INPUT = """HPLinpack benchmark input file
of mpiprof's tests
HPL.out  output file name (if any)
8        device out (6=stdout,7=stderr,file)
1        # of problems sizes (N)
64       Ns
1        # of NBs
8        NBs
0        PMAP process mapping (0=Row-,1=Column-major)
1        # of process grids (P x Q)
2        Ps
2        Qs
16.0     threshold
1        # of panel fact
2        PFACTs (0=left, 1=Crout, 2=Right)
1        # of recursive stopping criterium
4        NBMINs (>= 1)
1        # of panels in recursion
2        NDIVs
1        # of recursive panel fact.
1        RFACTs (0=left, 1=Crout, 2=Right)
1        # of broadcast
1        BCASTs (0=1rg,1=1rM,2=2rg,3=2rM,4=Lng,5=LnM)
1        # of lookahead depth
1        DEPTHs (>=0)
2        SWAP (0=bin-exch,1=long,2=mix)
64       swapping threshold
0        L1 in (0=transposed,1=no-transposed) form
0        U  in (0=transposed,1=no-transposed) form
1        Equilibration (0=no,1=yes)
8        memory alignment in double (> 0)
0        Number of additional problem sizes for PTRANS
0        values of N
0        number of additional blocking sizes for PTRANS
0        values of NB
"""

LAMMPS_INPUT = """# A Lennard-Jones liquid of 500 atoms.
units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 5 0 5 0 5
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 3.0 87287 loop geom
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
neigh_modify every 20 delay 0 check no
fix 1 all nve
thermo 20
dump 1 all atom 50 melt.lammpstrj
run 100
write_restart melt.restart
"""


def mask_hpcc(text):
    """Without what depends on time: also which node it takes for tests of one, how many pings fit in a while, and whether
    the processor's clock has moved."""
    text = re.sub(r"(?m)^CPU .*\n", "", text)
    # Rates of the summary that come out whole.
    text = re.sub(r"(?m)^(\w*(?:STREAM|GUPs|flops|GBps|usec|Latency|Bandwidth|time|seconds)\w*)=\d+$", r"\1= #", text)
    return re.sub(r"(?m)(Current time|clock ticks|Node selected|max client pings|max number of ping pong pairs).*$", "TIME",
                  re.sub(r"\d+ clock", "clock", mask_fractions(text)))


def mask_lammps(text):
    """Without what LAMMPS says of the time that its parts took."""
    timed = r"Loop time|Performance:|[\d.]+% CPU|Total wall time|  create_atoms CPU|(Pair|Neigh|Comm|Output|Modify|Other)\s+\|"
    return re.sub(rf"(?m)^({timed}).*$", "TIME", text)


def from_packages():
    yield Program("hpcc", ["/usr/bin/hpcc"], 4, {"hpccinf.txt": HPCC_INPUT}, outputs=("hpccoutf.txt",), mask=mask_hpcc,
                  by_time=True, families=("openmpi",))
    yield scalapack("xdlu", "LU.dat", edit=without_refinement)
    yield scalapack("xdqr", "QR.dat")
    yield scalapack("PBLAS/dpb1tst", "PBLAS/PDBLAS1TST.dat")
    yield scalapack("BLACS/xFbtest", *BLACS_INPUT, ranks=4, edit=blacs_test("'F'"), mask=mask_blacs)
    yield scalapack("BLACS/xCbtest", *BLACS_INPUT, ranks=4, edit=blacs_test("'T'"), mask=mask_blacs, aborts=True)
    for name, leaves in {"objects": (), "buffers": ("buffers.data",)}.items():
        yield Program(f"mpi4py_{name}", ["/usr/bin/python3", preloaded.program(f"{name}.py")], 3, leaves=leaves, families=("openmpi",))


def lammps():
    yield Program("lammps", ["/usr/bin/lmp", "-in", "in.melt", "-log", "none"], 2, {"in.melt": LAMMPS_INPUT},
                  outputs=("melt.lammpstrj", "melt.restart"), mask=mask_lammps, families=("openmpi",))


def own():
    def program(name, ranks, *arguments, **known):
        return Program(name, [preloaded.program(name), *arguments], ranks, **known)

    yield program("send_modes", 2)
    yield program("nonblocking_collectives", 3)
    yield program("neighbours", 4)
    # mpiprof remembers the first 4096 communicators, and no more.
    yield program("communicators", 2, "made", "2100")
    yield program("latency", 2)
    yield program("intercommunicators", 3)
    yield program("threads", 2)
    yield program("own_wrappers", 3, waits_by_itself=True)


def limit():
    return Program("communicators", [preloaded.program("communicators"), "limit"], 2)
