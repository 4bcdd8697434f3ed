cimport cython
from predictor.engine.ranking cimport Ranking

cdef long long UNKNOWN


@cython.final
cdef class Accruals:
    cdef readonly Ranking ranking
    cdef readonly Py_ssize_t accruers, groups
    cdef readonly long long[::1] accruer, slot_start, slot, group_start, group, bound, cap, weight
    cdef readonly long long[::1] count, seen, asked_at

    @cython.locals(group=Py_ssize_t, number=Py_ssize_t)
    cdef void begin(self) noexcept nogil
    @cython.locals(number=Py_ssize_t, since=cython.longlong)
    cdef void see(self, Py_ssize_t slot, long long now, long long ready_at) noexcept nogil
    @cython.locals(
        number=Py_ssize_t, since=cython.longlong, bound=cython.longlong, i=Py_ssize_t
    )
    cdef void admit(self, long long now) noexcept nogil
    @cython.locals(i=Py_ssize_t)
    cdef void _count(self, Py_ssize_t number) noexcept nogil
