cimport cython
from predictor.engine cimport codes
from predictor.engine.placer cimport Placer
from predictor.engine.queue cimport Queue
from predictor.engine.ranking cimport Ranking


@cython.final
cdef class Sharers:
    cdef readonly Placer placer
    cdef readonly Queue queue
    cdef readonly Ranking ranking
    cdef readonly long long[::1] count

    @cython.locals(i=Py_ssize_t, slot=Py_ssize_t)
    cdef void leave(self, Py_ssize_t job) noexcept nogil
    @cython.locals(i=Py_ssize_t, record=Py_ssize_t, slot=Py_ssize_t)
    cdef void come_back(self, Py_ssize_t job, long long now) noexcept nogil
