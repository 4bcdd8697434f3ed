cimport cython


@cython.final
cdef class Heap:
    cdef readonly Py_ssize_t size
    cdef readonly long long[::1] at, what, who

    cpdef void clear(self) noexcept nogil
    @cython.locals(i=Py_ssize_t, parent=Py_ssize_t)
    cpdef void push(self, long long at, long long what, long long who) noexcept nogil
    @cython.locals(
        last=Py_ssize_t, i=Py_ssize_t, child=Py_ssize_t, at=cython.longlong,
        what=cython.longlong, who=cython.longlong,
    )
    cpdef void pop(self) noexcept nogil
    cdef bint _before(
        self, long long at, long long what, long long who, Py_ssize_t other
    ) noexcept nogil
    cdef void _move(self, Py_ssize_t source, Py_ssize_t target) noexcept nogil
    cdef void _more(self) noexcept with gil
