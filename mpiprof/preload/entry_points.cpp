// MPI_X and PMPI_X for each function of the table: jumps through its slot, whatever its signature. A PMPI_X
// is the program's call only where the MPI library's Fortran layer makes it, else it is a tool's or the MPI
// library's own.
#include <mpiprof/preload/slots.hpp>

#if !defined(__x86_64__) || !defined(__linux__)
#error "the preload library has entry points for Linux on x86-64 only"
#endif

// Those that all MPI libraries have, together.
#define MPIPROF_INTERNAL_LARGE_COUNTS 1
#define MPIPROF_INTERNAL_PERSISTENT_COLLECTIVES 1
#define MPIPROF_INTERNAL_PARTITIONED 1
#define MPIPROF_INTERNAL_SESSIONS 1
#define MPIPROF_INTERNAL_ISENDRECV 1
#define MPIPROF_INTERNAL_IDUP_WITH_INFO 1

static_assert(sizeof(mpiprof::preload::slot) == 32 && sizeof(mpiprof::preload::address_range) == 16 &&
              mpiprof::preload::most_callers == 8);

// A first call asks where it goes. No argument of these functions is a floating-point number, and none is
// variadic, so that six registers hold what must outlive that.
asm(R"(
    .text
    .macro mpiprof_ask_and_go function
    push %rdi
    push %rsi
    push %rdx
    push %rcx
    push %r8
    push %r9
    sub $8, %rsp
    mov %r11, %rdi
    call \function
    mov %rax, %r11
    add $8, %rsp
    pop %r9
    pop %r8
    pop %rcx
    pop %rdx
    pop %rsi
    pop %rdi
    jmp *%r11
    .endm

    .type mpiprof_first_call, @function
mpiprof_first_call:
    mpiprof_ask_and_go mpiprof_where_called
    .type mpiprof_first_real_call, @function
mpiprof_first_real_call:
    mpiprof_ask_and_go mpiprof_where_real

    .macro mpiprof_look_among callers, found
    .set .Lplace, 0
    .rept 8
    mov \callers + .Lplace + 8(%rip), %rax
    test %rax, %rax
    jz 2f
    add \callers + .Lplace(%rip), %rax
    cmp %rax, %r10
    jae 1f
    cmp \callers + .Lplace(%rip), %r10
    jae \found
1:
    .set .Lplace, .Lplace + 16
    .endr
2:
    .endm

    .type mpiprof_called_real, @function
mpiprof_called_real:
    mov (%rsp), %r10
    mpiprof_look_among mpiprof_other_callers, .Lfrom_elsewhere
    mpiprof_look_among mpiprof_fortran_callers, .Lfrom_fortran
    push %rdi
    push %rsi
    push %rdx
    push %rcx
    push %r8
    push %r9
    push %r11
    mov %r10, %rdi
    call mpiprof_is_fortran_caller
    pop %r11
    pop %r9
    pop %r8
    pop %rcx
    pop %rdx
    pop %rsi
    pop %rdi
    test %al, %al
    jz .Lfrom_elsewhere
.Lfrom_fortran:
    jmp *(%r11)
.Lfrom_elsewhere:
    jmp *8(%r11)

    .macro mpiprof_entry name
    .pushsection .data.mpiprof_slots, "aw"
.Lslot_\name:
    .quad .Lfirst_\name
    .quad .Lfirst_real_\name
    .quad .Lmissing_\name
    .quad .Lname_\name
    .popsection
    .pushsection .rodata.mpiprof_names, "a"
.Lname_\name:
    .asciz "PMPI_\name"
    .popsection

    .globl MPI_\name
    .type MPI_\name, @function
    .globl PMPI_\name
    .type PMPI_\name, @function
    .balign 16
MPI_\name:
    jmp *.Lslot_\name(%rip)
    .size MPI_\name, . - MPI_\name
    .balign 16
PMPI_\name:
    lea .Lslot_\name(%rip), %r11
    jmp mpiprof_called_real
    .size PMPI_\name, . - PMPI_\name
.Lfirst_\name:
    lea .Lslot_\name(%rip), %r11
    jmp mpiprof_first_call
.Lfirst_real_\name:
    lea .Lslot_\name(%rip), %r11
    jmp mpiprof_first_real_call
.Lmissing_\name:
    sub $8, %rsp
    lea .Lname_\name(%rip), %rdi
    call mpiprof_missing
    .endm

    .hidden mpiprof_where_called
    .hidden mpiprof_where_real
    .hidden mpiprof_missing
    .hidden mpiprof_fortran_callers
    .hidden mpiprof_other_callers
    .hidden mpiprof_is_fortran_caller
    .hidden mpiprof_slots_begin
    .hidden mpiprof_slots_end
    .globl mpiprof_slots_begin
    .globl mpiprof_slots_end
    .section .data.mpiprof_slots, "aw"
    .balign 16
mpiprof_slots_begin:
    .text
)");

#define MPIPROF_FUNCTION(NAME, ...) asm("mpiprof_entry " #NAME);
#include <mpiprof/raw/functions.inc>
#undef MPIPROF_FUNCTION

asm(R"(
    .section .data.mpiprof_slots, "aw"
mpiprof_slots_end:
    .text
)");
