cimport cython


@cython.final
cdef class Waits:
    cdef readonly long long jobs
    cdef readonly object wait_s
    cdef readonly long long most_wait_s
    cdef readonly object turnaround_s
    cdef readonly double slowdown
    cdef dict _counts
    cdef dict _users

    @cython.locals(slowdown="double", length_s="long long", of_user=list)
    cpdef add(self, long long wait_s, long long run_s, user)


@cython.final
cdef class Levels:
    cdef readonly long long until_s
    cdef readonly long long span_s
    cdef readonly long long[::1] most
    cdef list _areas
    cdef list _series
    cdef long long _span
    cdef long long[::1] _here
    cdef long long _bound

    @cython.locals(since_s="long long", length_s="long long", first="long long",
                   last="long long", number="Py_ssize_t", amount="long long")
    cpdef hold(self, long long until_s, amounts)

    @cython.locals(series=list, span="Py_ssize_t", end_s="long long")
    cdef void _spread(self, Py_ssize_t number, amount, long long since_s) except *

    @cython.locals(number="Py_ssize_t", series=list)
    cdef void _settle(self, long long span) except *

    cdef void _widen(self) except *
