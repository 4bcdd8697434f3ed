cimport cython
from predictor.engine cimport powers

cdef double STRICTNESS


@cython.final
cdef class Shares:
    cdef readonly Py_ssize_t members, users
    cdef readonly bint ranked, leveled
    cdef readonly double dampening, weight, endless
    cdef readonly long long[::1] above, rivals_under, is_user, inherits, rival_start, rival
    cdef readonly long long[::1] scratch, waiting, tied, rated
    cdef readonly double[::1] level_share, share, first_usage, first_points, usage, points
    cdef readonly double[::1] level, used

    @cython.locals(place=Py_ssize_t)
    cpdef void restart(self) noexcept nogil
    @cython.locals(place=Py_ssize_t)
    cdef void fade(self, double kept) noexcept nogil
    cdef void charge(self, Py_ssize_t place, double amount) noexcept nogil
    @cython.locals(place=Py_ssize_t)
    cdef void empty(self) noexcept nogil
    @cython.locals(place=Py_ssize_t)
    cpdef void rate(self) noexcept nogil

    @cython.locals(
        rank=Py_ssize_t, left=Py_ssize_t, count=Py_ssize_t, place=Py_ssize_t, tied=cython.longlong,
        first=Py_ssize_t, end=Py_ssize_t, i=Py_ssize_t,
    )
    cdef void _rank_users(self) noexcept nogil
    @cython.locals(
        i=Py_ssize_t, width=Py_ssize_t, start=Py_ssize_t, middle=Py_ssize_t, stop=Py_ssize_t,
    )
    cdef void _sort(self, Py_ssize_t first, Py_ssize_t end) noexcept nogil
    @cython.locals(share=cython.double, used=cython.double, used_by_all=cython.double)
    cdef double _level(self, Py_ssize_t place) noexcept nogil
    cdef long long _equal(self, Py_ssize_t i, Py_ssize_t j) noexcept nogil
    cdef bint _before(self, Py_ssize_t one, Py_ssize_t other) noexcept nogil
    @cython.locals(i=Py_ssize_t, left=Py_ssize_t, right=Py_ssize_t, to=Py_ssize_t)
    cdef void _merge(self, Py_ssize_t start, Py_ssize_t middle, Py_ssize_t stop) noexcept nogil

    @cython.locals(place=Py_ssize_t)
    cdef void begin(self) noexcept nogil
    @cython.locals(factor=cython.double, excess=cython.double)
    cdef void rate_one(self, Py_ssize_t place) noexcept nogil
    @cython.locals(above=Py_ssize_t)
    cdef void _weigh(self, Py_ssize_t place) noexcept nogil
    @cython.locals(used=cython.double)
    cdef double _used(self, Py_ssize_t place) noexcept nogil
    @cython.locals(used=cython.double)
    cdef double _by_level(self, Py_ssize_t place, Py_ssize_t above) noexcept nogil
    @cython.locals(
        used=cython.double, share=cython.double, own=cython.double, ratio=cython.double,
    )
    cdef double _depth_oblivious(self, Py_ssize_t place, Py_ssize_t above) noexcept nogil
    @cython.locals(total=cython.double, i=Py_ssize_t)
    cdef double _used_by_rivals(self, Py_ssize_t account) noexcept nogil
    @cython.locals(excess=cython.double)
    cdef double _exponent(self, double ratio, double own) noexcept nogil
