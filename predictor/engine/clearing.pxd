cimport cython
from predictor.engine cimport bits
from predictor.engine.layout cimport Layout


@cython.final
cdef class Clearing:
    cdef readonly Layout layout
    cdef readonly Py_ssize_t words, count, noted
    cdef readonly long long[::1] until, last, leaver, owner
    cdef readonly long long seen_at
    cdef public long long wait_s
    cdef readonly unsigned long long[::1] nodes

    @cython.locals(done=cython.bint, w=Py_ssize_t, i=Py_ssize_t)
    cdef bint see(self, long long now) noexcept nogil
    @cython.locals(done=cython.bint, one=cython.ulonglong, node=Py_ssize_t)
    cdef bint _see_noted(self, long long now) noexcept nogil
    cdef bint is_over(self) noexcept nogil
    @cython.locals(node=Py_ssize_t)
    cdef void note(self, Py_ssize_t w, unsigned long long nodes, long long until) noexcept nogil
    @cython.locals(user=cython.longlong, w=Py_ssize_t, word=cython.ulonglong, node=Py_ssize_t)
    cdef void leave(
        self,
        Py_ssize_t person,
        unsigned long long[::1] nodes,
        Py_ssize_t offset,
        Py_ssize_t shape,
        bint back,
    ) noexcept nogil
    @cython.locals(other=cython.longlong)
    cdef bint keeps_off(self, Py_ssize_t node, long long user, bint owns) noexcept nogil
    @cython.locals(w=Py_ssize_t, word=cython.ulonglong, node=Py_ssize_t)
    cdef bint _is_uncleared(self, Py_ssize_t person) noexcept nogil
    @cython.locals(one=cython.ulonglong)
    cdef bint _is_being_cleared(self, Py_ssize_t node) noexcept nogil
    @cython.locals(latest=cython.longlong, until=cython.longlong, i=Py_ssize_t)
    cdef long long held_until(self, long long now) noexcept nogil
    cdef long long _held_until(self, Py_ssize_t i) noexcept nogil
    @cython.locals(
        following=cython.longlong, until=cython.longlong, i=Py_ssize_t, node=Py_ssize_t
    )
    cdef long long next_end(self, long long now) noexcept nogil
