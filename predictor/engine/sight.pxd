cimport cython
from predictor.engine cimport sets
from predictor.engine.bookings cimport Bookings
from predictor.engine.layout cimport Layout
from predictor.engine.leaving cimport Leaving
from predictor.engine.owners cimport Owners
from predictor.engine.timeline cimport Timeline


@cython.final
cdef class Sight:
    cdef readonly Timeline timeline
    cdef readonly Layout layout
    cdef readonly Bookings bookings
    cdef readonly Leaving leaving
    cdef readonly Owners owners
    cdef readonly Py_ssize_t words
    cdef readonly bint owners_stay, hides, narrows
    cdef readonly unsigned long long[::1] seen, welcoming
    cdef readonly long long[::1] told_at

    @cython.locals(own=Py_ssize_t, at=cython.longlong)
    cdef void look_from(
        self, Py_ssize_t place, Py_ssize_t kind, Py_ssize_t size, long long end_at
    ) noexcept nogil
    cdef long long waits_until(
        self, Py_ssize_t kind, Py_ssize_t size, long long at, long long end_at
    ) noexcept nogil
    cdef long long is_left_at(
        self, Py_ssize_t kind, Py_ssize_t size, long long at, long long end_at
    ) noexcept nogil
    cdef void keep_seen(
        self, unsigned long long[::1] nodes, Py_ssize_t kind, Py_ssize_t size, long long at,
        long long end_at,
    ) noexcept nogil
    @cython.locals(booked="unsigned long long[::1]", before=Py_ssize_t, here=Py_ssize_t)
    cdef bint is_given(self, Py_ssize_t place) noexcept nogil
    @cython.locals(shape=Py_ssize_t)
    cdef void _keep_welcoming(
        self, unsigned long long[::1] nodes, Py_ssize_t kind
    ) noexcept nogil
