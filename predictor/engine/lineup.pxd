cimport cython
from predictor.engine.queue cimport Queue
from predictor.engine.ranking cimport Ranking
from predictor.engine.victims cimport Victims


@cython.final
cdef class Lineup:
    cdef readonly Queue queue
    cdef readonly Ranking ranking
    cdef readonly Victims victims
    cdef readonly long long[::1] number, listed, present, merged, spare, next_task, last_task

    @cython.locals(moved=cython.bint, i=Py_ssize_t, j=Py_ssize_t, record=Py_ssize_t)
    cdef bint sort(self, long long now) noexcept nogil
    @cython.locals(
        changed=cython.bint, i=Py_ssize_t, record=Py_ssize_t, value=cython.longlong,
        low=cython.longlong,
    )
    cdef bint _rate(self) noexcept nogil
    @cython.locals(
        count=Py_ssize_t, moved=cython.bint, i=Py_ssize_t, record=Py_ssize_t, place=Py_ssize_t
    )
    cdef bint _sort_anew(self, long long now) noexcept nogil
    @cython.locals(
        count=Py_ssize_t, listed=Py_ssize_t, i=Py_ssize_t, record=Py_ssize_t,
        partition=Py_ssize_t, last=Py_ssize_t,
    )
    cdef Py_ssize_t _find_heads(self, long long now) noexcept nogil
    cdef bint _put(self, Py_ssize_t place, Py_ssize_t record) noexcept nogil
    @cython.locals(
        half=Py_ssize_t, i=Py_ssize_t, one=Py_ssize_t, other=Py_ssize_t, place=Py_ssize_t
    )
    cdef void _merge_sort(self, Py_ssize_t first, Py_ssize_t count) noexcept nogil
    @cython.locals(value=cython.longlong, other_value=cython.longlong)
    cdef bint _precedes(self, Py_ssize_t one, Py_ssize_t other) noexcept nogil
    @cython.locals(slot=Py_ssize_t)
    cdef long long _priority(self, Py_ssize_t record) noexcept nogil
