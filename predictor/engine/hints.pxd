cimport cython


@cython.final
cdef class Hints:
    cdef readonly Py_ssize_t kinds, count, least
    cdef readonly long long least_s
    cdef readonly long long[::1] head, size, length, start, following

    @cython.locals(kind=Py_ssize_t)
    cdef void forget(self) noexcept nogil
    @cython.locals(bound=cython.longlong, hint=Py_ssize_t)
    cdef long long bound(
        self, Py_ssize_t kind, Py_ssize_t size, long long length, long long not_before
    ) noexcept nogil
    @cython.locals(hint=Py_ssize_t, bounds=cython.bint)
    cdef bint forbid(
        self, Py_ssize_t kind, Py_ssize_t size, long long length, long long at
    ) noexcept nogil
    @cython.locals(
        previous=Py_ssize_t, hint=Py_ssize_t, beyond=cython.bint, after=Py_ssize_t
    )
    cdef void learn(
        self, Py_ssize_t kind, Py_ssize_t size, long long length, long long start
    ) noexcept nogil
    cdef void _more(self) noexcept with gil
