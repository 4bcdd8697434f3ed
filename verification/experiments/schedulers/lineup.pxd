cimport cython

from verification.experiments.course cimport Queued
from verification.traces.waiting cimport Waiting


@cython.final
cdef class Lineup:
    cdef Py_ssize_t _room
    cdef Waiting _tree
    cdef list _spots
    cdef Py_ssize_t _head
    cdef readonly Py_ssize_t count

    cpdef void add(self, Queued queued) except *
    @cython.locals(queued=Queued)
    cpdef Queued take(self, Py_ssize_t spot)
    @cython.locals(queued=Queued)
    cpdef Queued at(self, Py_ssize_t spot)
    cpdef Py_ssize_t next(
        self, Py_ssize_t spot, long long free, long long window_s, long long extra
    ) except? -2
    @cython.locals(left=list, queued=Queued)
    cdef void _move_together(self) except *
