cimport cython
from predictor.engine cimport sets
from predictor.engine.groups cimport Groups
from predictor.engine.held cimport Held
from predictor.engine.layout cimport Layout
from predictor.engine.placer cimport Placer
from predictor.engine.search cimport Search


@cython.final
cdef class Ties:
    cdef readonly Placer placer
    cdef readonly Held held
    cdef readonly Groups groups
    cdef readonly Search search
    cdef readonly Layout layout
    cdef readonly Py_ssize_t words
    cdef readonly unsigned long long[::1] tied, found

    @cython.locals(ends_at=cython.longlong, enough=cython.bint)
    cdef bint leave(self, Py_ssize_t kind, Py_ssize_t size, Py_ssize_t before) noexcept nogil
    @cython.locals(i=Py_ssize_t, row=Py_ssize_t, enough=cython.bint)
    cdef bint _leave_nodes(
        self, Py_ssize_t kind, Py_ssize_t size, Py_ssize_t before
    ) noexcept nogil
    cdef bint _is_tied(self, Py_ssize_t i) noexcept nogil
    cdef void find(
        self, Py_ssize_t kind, Py_ssize_t size, long long ended_at, long long found_at
    ) noexcept nogil
    @cython.locals(parts=Py_ssize_t, at=cython.longlong, i=Py_ssize_t, lead=Py_ssize_t)
    cdef void hold(self, bint take) noexcept nogil
