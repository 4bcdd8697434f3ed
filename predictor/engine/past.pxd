cimport cython
from predictor.engine.placer cimport Placer
from predictor.engine.queue cimport Queue


@cython.final
cdef class Past:
    cdef readonly Placer placer
    cdef readonly Queue queue
    cdef readonly Py_ssize_t words
    cdef readonly long long[::1] at, record, way, length_s, boots_s
    cdef readonly unsigned long long[::1] nodes

    @cython.locals(record=Py_ssize_t, part=Py_ssize_t, i=Py_ssize_t)
    cdef void keep(self, Py_ssize_t job) noexcept nogil
