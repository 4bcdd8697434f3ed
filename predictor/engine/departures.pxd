cimport cython
from predictor.engine.held cimport Held
from predictor.engine.placer cimport Placer
from predictor.engine.queue cimport Queue
from predictor.engine.roster cimport Roster


@cython.final
cdef class Departures:
    cdef readonly Placer placer
    cdef readonly Held held
    cdef readonly Queue queue
    cdef readonly Roster roster
    cdef readonly bint ends_wait

    cdef bint is_uncleared(self, Py_ssize_t person) noexcept nogil
    cdef bint waits(self, Py_ssize_t person) noexcept nogil
    @cython.locals(record=Py_ssize_t, part=Py_ssize_t, runner=Py_ssize_t, i=Py_ssize_t)
    cdef bint _is_killed(self, Py_ssize_t person) noexcept nogil
