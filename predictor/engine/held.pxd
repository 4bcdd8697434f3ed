cimport cython
from predictor.engine cimport sets
from predictor.engine.layout cimport Layout
from predictor.engine.timeline cimport Timeline


@cython.final
cdef class Held:
    cdef readonly Timeline timeline
    cdef readonly Layout layout
    cdef readonly Py_ssize_t words, count
    cdef readonly long long begun_at
    cdef readonly long long[::1] start, lead, kind, shape, until, whole
    cdef readonly unsigned long long[::1] nodes

    @cython.locals(
        offset=Py_ssize_t, kind=Py_ssize_t, shape=Py_ssize_t, since=cython.longlong
    )
    cdef void extend(self, Py_ssize_t holding, long long until, long long now) noexcept nogil
    @cython.locals(i=Py_ssize_t, offset=Py_ssize_t, kind=Py_ssize_t, shape=Py_ssize_t)
    cdef void linger(self, Py_ssize_t lead, long long at, bint take) noexcept nogil
    @cython.locals(i=Py_ssize_t)
    cdef bint touches(self, Py_ssize_t runner, unsigned long long[::1] nodes) noexcept nogil
    @cython.locals(
        offset=Py_ssize_t, until=cython.longlong, kind=Py_ssize_t, shape=Py_ssize_t
    )
    cdef void hold(self, Py_ssize_t holding, bint take) noexcept nogil
