cimport cython
from predictor.engine cimport codes


@cython.final
cdef class Stations:
    cdef readonly Py_ssize_t count
    cdef readonly bint halt
    cdef readonly long long[::1] may, apart, fate, order, grace_s, exempt_s

    cdef long long whom(self, Py_ssize_t mine, Py_ssize_t theirs) noexcept nogil
    cdef bint are_apart(self, Py_ssize_t mine, Py_ssize_t theirs) noexcept nogil
    @cython.locals(whom=cython.longlong)
    cdef bint ends(
        self, Py_ssize_t mine, Py_ssize_t theirs, long long level, long long other_level
    ) noexcept nogil
