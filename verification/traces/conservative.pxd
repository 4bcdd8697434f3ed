cimport cython

from predictor.engine.heap cimport Heap
from verification.traces.profile cimport Profile

cdef long long FAR


@cython.final
cdef class Conservative:
    cdef Py_ssize_t jobs
    cdef const long long[::1] submits
    cdef const long long[::1] runs
    cdef const long long[::1] procs
    cdef const long long[::1] limits
    cdef Profile profile
    cdef long long[::1] starts
    cdef long long[::1] tickets
    cdef long long[::1] waiting
    cdef long long[::1] ended
    cdef Heap ends
    cdef Heap due
    cdef Py_ssize_t waiting_count
    cdef Py_ssize_t ended_count
    cdef long long submitted
    cdef long long started
    cdef long long ticket
    cdef long long now
    cdef long long next_start_at
    cdef bint dirty

    @cython.locals(index="Py_ssize_t")
    cpdef replay(self, bint per_event)

    cdef void _advance(self) noexcept
    cdef void _release(self, long long job) noexcept

    @cython.locals(job="long long", start_at="long long")
    cdef void _submit(self) noexcept

    @cython.locals(index="Py_ssize_t", job="long long", planned_at="long long",
                   limit_s="long long", start_at="long long")
    cdef void _move_up(self) noexcept

    cdef void _place(self, long long job, long long start_at) noexcept

    @cython.locals(job="long long")
    cdef void _start_due(self) noexcept

    @cython.locals(index="Py_ssize_t", job="long long", kept="Py_ssize_t")
    cdef void _gather_due(self) noexcept
