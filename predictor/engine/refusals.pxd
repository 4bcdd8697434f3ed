cimport cython
from predictor.engine cimport bits, codes
from predictor.engine.bookings cimport Bookings


@cython.final
cdef class Refusals:
    cdef readonly Bookings bookings
    cdef readonly Py_ssize_t kinds, kind, size_class
    cdef readonly long long[::1] known, open_until, length

    cdef void turn_to(self, Py_ssize_t kind, Py_ssize_t size) noexcept nogil
    @cython.locals(place=Py_ssize_t)
    cdef bint refuses(self, Py_ssize_t row, long long length, long long open_until) noexcept nogil
    @cython.locals(
        place=Py_ssize_t, first=Py_ssize_t, end=Py_ssize_t, learned=Py_ssize_t, i=Py_ssize_t,
        birth=cython.longlong,
    )
    cdef void learn(
        self, Py_ssize_t row, Py_ssize_t left, long long length, long long open_until
    ) noexcept nogil
    @cython.locals(width=Py_ssize_t, half=Py_ssize_t)
    cdef Py_ssize_t _class_of(self, Py_ssize_t size) noexcept nogil
    cdef void _more(self) noexcept with gil
