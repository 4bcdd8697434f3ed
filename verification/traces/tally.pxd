cimport cython

cdef long long SHORTEST_RUN_S


@cython.final
cdef class Tally:
    cdef readonly long long wait_s
    cdef readonly long long most_wait_s
    cdef readonly double bounded_slowdown
    cdef readonly long long procs_s
    cdef readonly long long end_at

    @cython.locals(job="Py_ssize_t", wait_s="long long", run_s="long long", slowdown="double")
    cpdef void count(
        self,
        const long long[::1] submits,
        const long long[::1] runs,
        const long long[::1] procs,
        const long long[::1] starts,
    ) noexcept
