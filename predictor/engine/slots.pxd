cimport cython
from predictor.engine.bookings cimport Bookings
from predictor.engine.chances cimport Chances
from predictor.engine.placer cimport Placer
from predictor.engine.queue cimport Queue


@cython.final
cdef class Slots:
    cdef readonly Placer placer
    cdef readonly Queue queue
    cdef readonly Bookings bookings
    cdef readonly Chances chances
    cdef readonly bint exact, rounds_up
    cdef readonly long long step_s
    cdef readonly Py_ssize_t count
    cdef readonly long long[::1] records, has_one

    @cython.locals(part=Py_ssize_t)
    cdef void give(self, Py_ssize_t record) noexcept nogil
    @cython.locals(i=Py_ssize_t, record=Py_ssize_t, part=Py_ssize_t)
    cdef void drop(self) noexcept nogil
    cdef long long _start(self, Py_ssize_t part) noexcept nogil
    @cython.locals(end_at=cython.longlong)
    cdef long long _end(self, Py_ssize_t part) noexcept nogil
    cdef long long full_steps(self, long long end_at) noexcept nogil
