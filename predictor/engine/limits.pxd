cimport cython
from libc cimport math

from predictor.engine cimport bits, bound, codes
from predictor.engine.limit_layout cimport LimitLayout
from predictor.engine.node_use cimport NodeUse
from predictor.engine.remaining cimport Remaining


@cython.final
cdef class Limits:
    cdef readonly LimitLayout layout
    cdef readonly NodeUse use
    cdef readonly Remaining remaining
    cdef readonly Py_ssize_t words, resources, room
    cdef readonly long long most, claim, spare
    cdef readonly bint placed
    cdef readonly long long soon_s
    cdef public long long fades_at
    cdef readonly long long[::1] amount, held, spent_at, first, next
    cdef readonly long long[::1] entry_binding, entry_start, entry_end, entry_amount
    cdef readonly unsigned long long[::1] nodes, entry_nodes
    cdef readonly double[::1] spent_rate, spent

    @cython.locals(part=cython.Py_ssize_t, first=cython.Py_ssize_t, end=cython.Py_ssize_t)
    cpdef long long early(self, long long claim, long long at) noexcept nogil
    @cython.locals(part=cython.Py_ssize_t, first=cython.Py_ssize_t, end=cython.Py_ssize_t)
    cpdef long long late(self, long long at) noexcept nogil
    cpdef long long late_unplaced(self, long long claim, long long at) noexcept nogil
    cdef long long late_anew(
        self, long long claim, unsigned long long[::1] nodes, Py_ssize_t offset, long long cpus,
        long long at,
    ) noexcept nogil
    @cython.locals(part=cython.Py_ssize_t, rule=cython.Py_ssize_t)
    cdef void add_used(self, long long claim, unsigned long long[::1] nodes) noexcept nogil
    @cython.locals(rule=cython.Py_ssize_t)
    cdef long long _first_of(
        self, Py_ssize_t first, Py_ssize_t end, long long claim, long long at_s
    ) noexcept nogil
    @cython.locals(kind=cython.longlong, cap=cython.double, asked=cython.double)
    cdef bint _blocks(self, Py_ssize_t rule, long long claim, long long at_s) noexcept nogil
    @cython.locals(
        cap=cython.double, meter=cython.Py_ssize_t, spent=cython.double, more=cython.double
    )
    cdef bint _overspent(self, Py_ssize_t rule, double asked, long long at_s) noexcept nogil
    cdef long long _decay_s(self, Py_ssize_t meter, double spent, double left) noexcept nogil
    @cython.locals(passed=cython.longlong)
    cdef void _wait_for_decay(
        self, Py_ssize_t meter, double spent, double bearable, long long at_s
    ) noexcept nogil
    @cython.locals(fades_at=cython.longlong)
    cdef void _look_again(self, long long at_s) noexcept nogil
    cpdef double in_use(self, Py_ssize_t rule, long long at) noexcept nogil
    cpdef double asked(self, Py_ssize_t rule, long long claim) noexcept nogil
    @cython.locals(kind=cython.longlong, meter=cython.Py_ssize_t)
    cdef double _in_use(self, Py_ssize_t rule, long long at_s) noexcept nogil
    @cython.locals(
        kind=cython.longlong, amount=cython.longlong, seconds=cython.double, weight=cython.double,
        meter=cython.Py_ssize_t,
    )
    cdef double _asked(self, Py_ssize_t rule, long long claim) noexcept nogil
    @cython.locals(plan=cython.Py_ssize_t)
    cdef double _planned_s(self, Py_ssize_t rule, long long at_s) noexcept nogil
    @cython.locals(left=cython.double)
    cdef double _ahead_s(self, Py_ssize_t meter, long long at_s) noexcept nogil
    @cython.locals(
        passed=cython.longlong, rate=cython.double, half_life=cython.double, left=cython.double
    )
    cdef double _spent_s(self, Py_ssize_t meter, long long at_s) noexcept nogil

    @cython.locals(
        left=cython.longlong, count=cython.longlong, w=cython.Py_ssize_t, kind=cython.Py_ssize_t,
        member=cython.ulonglong,
    )
    cpdef void place(
        self, long long claim, unsigned long long[::1] nodes, Py_ssize_t offset, long long cpus
    ) noexcept nogil
    @cython.locals(count=cython.longlong)
    cpdef void place_least(self, long long claim) noexcept nogil
    @cython.locals(w=cython.Py_ssize_t)
    cdef void _leave_named(self, long long claim) noexcept nogil
    @cython.locals(resource=cython.Py_ssize_t)
    cdef void _begin(self, long long claim, long long nodes) noexcept nogil
    @cython.locals(resource=cython.Py_ssize_t, row=cython.Py_ssize_t)
    cdef void _add(self, long long claim, Py_ssize_t kind, long long count) noexcept nogil
    @cython.locals(i=cython.Py_ssize_t, resource=cython.Py_ssize_t, more=cython.longlong)
    cdef void _finish(self, long long claim, long long cpus) noexcept nogil
    @cython.locals(
        i=cython.Py_ssize_t, added=cython.double, dearest=cython.double, cost=cython.double
    )
    cdef long long _price(self, long long tariff) noexcept nogil

    @cython.locals(binding=cython.Py_ssize_t)
    cpdef void start(self, Py_ssize_t holder, long long at) noexcept nogil
    @cython.locals(entry=cython.Py_ssize_t, following=cython.Py_ssize_t)
    cpdef void end(self, Py_ssize_t holder, long long at) noexcept nogil
    @cython.locals(entry=cython.Py_ssize_t, resource=cython.Py_ssize_t, w=cython.Py_ssize_t)
    cdef void _enter(
        self, Py_ssize_t holder, Py_ssize_t binding, long long started_s, long long limit_s
    ) noexcept nogil
    @cython.locals(
        binding=cython.Py_ssize_t, amounts=cython.Py_ssize_t, weight=cython.double,
        i=cython.Py_ssize_t, m=cython.Py_ssize_t, group=cython.Py_ssize_t, row=cython.Py_ssize_t,
        amount=cython.longlong, rate=cython.double, start_s=cython.longlong,
        end_s=cython.longlong,
    )
    cdef void _count(self, Py_ssize_t entry, long long sign, long long at_s) noexcept nogil
    cdef void _spend(self, Py_ssize_t meter, double rate, long long at_s) noexcept nogil
    cdef void _more_entries(self) noexcept with gil


cdef double _whole_minutes(double seconds) noexcept nogil
