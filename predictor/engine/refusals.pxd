cimport cython
from predictor.engine cimport bits, codes
from predictor.engine.bookings cimport Bookings
from predictor.engine.fences cimport Fences
from predictor.engine.layout cimport Layout
from predictor.engine.marks cimport Marks
from predictor.engine.sight cimport Sight


@cython.final
cdef class Refusals:
    cdef readonly Bookings bookings
    cdef readonly Marks gives
    cdef readonly Fences fences
    cdef readonly Layout layout
    cdef readonly Sight sight
    cdef readonly bint one_more, may_move
    cdef readonly Py_ssize_t kinds, width, kind, size, size_class, following
    cdef readonly long long forever, open_until
    cdef readonly long long[::1] known

    cdef void turn_to(self, Py_ssize_t kind, Py_ssize_t size) noexcept nogil
    @cython.locals(
        following=Py_ssize_t, end_at=cython.longlong, open_until=cython.longlong
    )
    cdef Py_ssize_t first_unknown(
        self, Py_ssize_t place, long long length, long long until
    ) noexcept nogil
    cdef void look_on(self, Py_ssize_t place, long long end_at, bint met) noexcept nogil
    @cython.locals(following=Py_ssize_t)
    cdef inline Py_ssize_t _opening_after(
        self, Py_ssize_t place, long long end_at, bint met
    ) noexcept nogil
    @cython.locals(first=Py_ssize_t)
    cdef inline Py_ssize_t _given_from(self, Py_ssize_t place) noexcept nogil
    cdef inline Py_ssize_t _seen_from(
        self, Py_ssize_t place, Py_ssize_t given, long long end_at
    ) noexcept nogil
    @cython.locals(at=Py_ssize_t, changes=Py_ssize_t)
    cdef Py_ssize_t _beyond(
        self, Py_ssize_t place, Py_ssize_t given, long long end_at
    ) noexcept nogil
    @cython.locals(at=cython.longlong)
    cdef inline bint _moves(self, Py_ssize_t place, long long length) noexcept nogil
    cdef inline long long _time_of(self, Py_ssize_t following) noexcept nogil
    @cython.locals(place=Py_ssize_t)
    cdef inline bint refuses(self, Py_ssize_t row, long long length, long long open_until) noexcept nogil
    @cython.locals(
        place=Py_ssize_t, first=Py_ssize_t, end=Py_ssize_t, learned=Py_ssize_t, i=Py_ssize_t,
        birth=cython.longlong, still=cython.bint,
    )
    cdef void learn(
        self, Py_ssize_t row, Py_ssize_t left, long long length, long long open_until
    ) noexcept nogil
    @cython.locals(width=Py_ssize_t, half=Py_ssize_t)
    cdef Py_ssize_t _class_of(self, Py_ssize_t size) noexcept nogil
    cdef void _more(self) noexcept with gil
