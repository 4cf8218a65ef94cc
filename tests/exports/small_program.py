"""What tests/traces/small_program.cpp is made of, by hand."""

# Slices of small_program: (rank, thread): [(begin, end, name)], in order of their begins.
SLICES = {
    (0, 1): [(100, 340, "solve"), (110, 120, "send"), (130, 135, "isend"), (140, 160, "waitall"),
             (170, 210, 'inner "quoted"'), (180, 200, "sendrecv"), (220, 240, "bcast"), (250, 280, "allreduce"),
             (290, 300, "send"), (305, 310, "allreduce"), (320, 325, "send"), (330, 335, "send")],
    (1, 1): [(112, 125, "recv"), (126, 128, "irecv"), (130, 150, "test"), (151, 165, "wait"), (185, 205, "sendrecv"),
             (230, 245, "bcast"), (255, 281, "allreduce")],
    (2, 1): [(225, 246, "bcast"), (252, 282, "allreduce"), (290, 300, "barrier"), (301, 302, "send")],
    (2, 2): [(295, 310, "recv")],
    (3, 1): [(228, 247, "bcast"), (251, 283, "allreduce"), (292, 300, "barrier")],
}
