cimport cython
from predictor.engine cimport codes
from predictor.engine.layout cimport Layout
from predictor.engine.placer cimport Placer
from predictor.engine.roster cimport Roster
from predictor.engine.timeline cimport Timeline


@cython.final
cdef class Still:
    cdef readonly Placer placer
    cdef readonly Roster roster
    cdef readonly Layout layout
    cdef readonly Timeline timeline
    cdef readonly long long forever
    cdef readonly Py_ssize_t count
    cdef readonly long long[::1] left_s, planned_s, giver, taker, node, cpus, whole, until

    @cython.locals(hold=Py_ssize_t, node=Py_ssize_t)
    cdef void set_aside(self, Py_ssize_t person, long long now, bint aside) noexcept nogil
    @cython.locals(hold=Py_ssize_t, node=Py_ssize_t, amounts=Py_ssize_t, k=Py_ssize_t)
    cdef bint _lends_all(self, Py_ssize_t person) noexcept nogil
    @cython.locals(cpus=cython.longlong, whole=cython.bint)
    cdef void _lay(
        self, Py_ssize_t hold, Py_ssize_t node, long long now, long long until, bint lend
    ) noexcept nogil
    @cython.locals(i=Py_ssize_t)
    cdef void _lay_loans(self, Py_ssize_t giver, long long now, bint lend) noexcept nogil
    @cython.locals(
        node=Py_ssize_t, cpus=cython.longlong, whole=cython.longlong, until=cython.longlong
    )
    cdef void _lay_loan(self, Py_ssize_t i, long long now, bint lend) noexcept nogil
    cdef long long _cpus(self, Py_ssize_t hold, Py_ssize_t node) noexcept nogil
    @cython.locals(amounts=Py_ssize_t, capacity=Py_ssize_t, k=Py_ssize_t)
    cdef bint _is_whole(self, Py_ssize_t hold, Py_ssize_t node) noexcept nogil
    @cython.locals(row=Py_ssize_t)
    cdef Py_ssize_t _amounts(self, Py_ssize_t hold, Py_ssize_t node) noexcept nogil
    cdef long long lack(self, Py_ssize_t node) noexcept nogil
    @cython.locals(hold=Py_ssize_t, wanted=cython.longlong, i=Py_ssize_t)
    cdef void lend(
        self, Py_ssize_t giver, Py_ssize_t taker, Py_ssize_t node, long long now, long long until
    ) noexcept nogil
    @cython.locals(found=cython.longlong, i=Py_ssize_t)
    cdef long long _lent(self, Py_ssize_t giver, Py_ssize_t node) noexcept nogil
    @cython.locals(until=cython.longlong, i=Py_ssize_t)
    cdef void _prolong(self, Py_ssize_t taker, long long now) noexcept nogil
    cdef void _halt(self, Py_ssize_t person, long long now, long long until) noexcept nogil
    @cython.locals(kept=Py_ssize_t, first=Py_ssize_t, i=Py_ssize_t)
    cdef void release(self, Py_ssize_t taker, long long now) noexcept nogil
    @cython.locals(i=Py_ssize_t, person=Py_ssize_t, ends_at=cython.longlong)
    cdef void _resume(self, long long now) noexcept nogil
    @cython.locals(i=Py_ssize_t, loans=Py_ssize_t)
    cdef bint _lends(self, Py_ssize_t person) noexcept nogil
    cdef void _move(self, Py_ssize_t source, Py_ssize_t target) noexcept nogil
    cdef void _more(self) noexcept with gil
