cimport cython
from predictor.engine.bookings cimport Bookings
from predictor.engine.layout cimport Layout
from predictor.engine.timeline cimport Timeline


@cython.final
cdef class Lending:
    cdef readonly Bookings bookings
    cdef readonly Timeline timeline
    cdef readonly Layout layout
    cdef readonly bint planned
    cdef readonly long long[::1] free

    @cython.locals(pools=Py_ssize_t, pool=Py_ssize_t, now=Py_ssize_t)
    cdef void begin(self) noexcept nogil
    cdef bint counts(self, Py_ssize_t kind) noexcept nogil
    @cython.locals(i=Py_ssize_t)
    cdef void start(self, Py_ssize_t kind) noexcept nogil
    cdef void lend(self, Py_ssize_t kind, long long since, long long until) noexcept nogil
    @cython.locals(place=Py_ssize_t, i=Py_ssize_t, amount=cython.longlong)
    cdef void note(self, Py_ssize_t kind, long long at, int sign) noexcept nogil
    @cython.locals(until=cython.longlong, i=Py_ssize_t, pool=Py_ssize_t, amount=cython.longlong)
    cdef long long short_until(
        self, Py_ssize_t kind, long long at, long long end_at
    ) noexcept nogil
    @cython.locals(
        left=cython.longlong, until=cython.longlong, short=cython.bint, place=Py_ssize_t,
        begin_at=cython.longlong, last=cython.bint,
    )
    cdef long long _short_until(
        self, Py_ssize_t pool, long long amount, long long at, long long end_at
    ) noexcept nogil
