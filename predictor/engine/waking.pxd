cimport cython
from predictor.engine cimport bits, codes
from predictor.engine.layout cimport Layout
from predictor.engine.timeline cimport Timeline


@cython.final
cdef class Waking:
    cdef readonly Timeline timeline
    cdef readonly Layout layout
    cdef readonly Py_ssize_t words
    cdef readonly unsigned long long[::1] asleep
    cdef readonly long long[::1] awake_at, idle_since, taken_at
    cdef readonly long long boots_s, woken, counted_at

    @cython.locals(
        longest=cython.longlong, w=Py_ssize_t, word=cython.ulonglong, first=cython.ulonglong,
        node=Py_ssize_t,
    )
    cdef long long wake(
        self, unsigned long long[::1] nodes, Py_ssize_t offset, long long at
    ) noexcept nogil
    @cython.locals(falls_s=cython.longlong, boots_s=cython.longlong)
    cdef long long _takes_s(self, Py_ssize_t node, long long at) noexcept nogil
    @cython.locals(most=cython.longlong)
    cdef long long _turn_s(self, long long at) noexcept nogil
    @cython.locals(after_s=cython.longlong, tired=cython.bint)
    cdef bint _sleeps(self, Py_ssize_t node, long long at) noexcept nogil
    @cython.locals(tired_at=cython.longlong, kept=cython.bint, group=Py_ssize_t)
    cdef bint _is_kept_awake(self, Py_ssize_t node, long long at) noexcept nogil
    @cython.locals(
        before=cython.longlong, row=Py_ssize_t, w=Py_ssize_t, word=cython.ulonglong,
        other=Py_ssize_t,
    )
    cdef bint _is_among_first(
        self, Py_ssize_t node, Py_ssize_t group, long long at
    ) noexcept nogil
    cdef bint _was_idle(self, Py_ssize_t node, long long at) noexcept nogil
    cdef bint is_idle(self, Py_ssize_t node) noexcept nogil
    @cython.locals(w=Py_ssize_t, word=cython.ulonglong, node=Py_ssize_t)
    cdef void note_idle(
        self, unsigned long long[::1] nodes, Py_ssize_t offset, long long at
    ) noexcept nogil
