cimport cython
from predictor.engine cimport codes
from predictor.engine.layout cimport Layout


@cython.final
cdef class Groups:
    cdef readonly Layout layout
    cdef readonly Py_ssize_t words, count
    cdef readonly long long first_s
    cdef readonly bint grows
    cdef readonly long long[::1] ends_at, place, alive
    cdef readonly unsigned long long[::1] nodes

    @cython.locals(i=Py_ssize_t)
    cdef void clear(self) noexcept nogil
    @cython.locals(w=Py_ssize_t)
    cdef void add(
        self, Py_ssize_t holding, unsigned long long[::1] nodes, Py_ssize_t offset,
        long long ends_at,
    ) noexcept nogil
    @cython.locals(place=Py_ssize_t, last=Py_ssize_t)
    cdef void drop(self, Py_ssize_t holding) noexcept nogil
    @cython.locals(
        first=cython.longlong, i=Py_ssize_t, ends_at=cython.longlong, mark=cython.longlong,
        last=cython.longlong, span_end=cython.longlong,
    )
    cdef long long end_of(self, unsigned long long[::1] nodes, long long at) noexcept nogil
    @cython.locals(base=Py_ssize_t, w=Py_ssize_t)
    cdef bint _touches(self, Py_ssize_t holding, unsigned long long[::1] nodes) noexcept nogil
    @cython.locals(width=cython.longlong)
    cdef long long _span_end(self, long long mark, long long at) noexcept nogil
