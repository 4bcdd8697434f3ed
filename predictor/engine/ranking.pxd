cimport cython
from predictor.engine cimport powers
from predictor.engine.shares cimport Shares

cdef long long HIGHEST
cdef long long UNKNOWN
cdef long long NEVER


@cython.final
cdef class Ranking:
    cdef readonly Shares shares
    cdef readonly long long first_at, period_s, max_age_s, recomputed_at
    cdef readonly double age_weight, kept
    cdef readonly bint rises_only, sizes_vary
    cdef readonly Py_ssize_t slots, first_slots, most_slots, first_runs, most_runs, charging, resets_seen
    cdef readonly long long[::1] resets, first_number, first_since, first_waits, moves, payer, place, held
    cdef readonly long long[::1] sharer, made_of, number, since, waits
    cdef readonly double[::1] age, fairshare, association, size_untried, size_tried, size
    cdef readonly double[::1] size_per_cpu
    cdef readonly double[::1] partition, qos, tres, rest
    cdef readonly long long[::1] first_started_at, run_payer, run_place, started_at, ended_at, charged
    cdef readonly double[::1] run_rate

    @cython.locals(slot=Py_ssize_t, run=Py_ssize_t)
    cpdef void restart(self) noexcept nogil
    @cython.locals(i=Py_ssize_t)
    cpdef void begin(
        self, Py_ssize_t run, Py_ssize_t slot, double rate, long long at, long long end_at
    ) noexcept nogil
    cpdef void finish(self, Py_ssize_t run, long long at) noexcept nogil
    cpdef void accrue(self, Py_ssize_t slot, long long at) noexcept nogil
    @cython.locals(made_of=Py_ssize_t)
    cpdef void tried(self, Py_ssize_t slot, long long cpus) noexcept nogil
    @cython.locals(made_of=Py_ssize_t)
    cdef bint is_sized(self, Py_ssize_t slot) noexcept nogil
    cpdef void enter(self, Py_ssize_t slot, long long at) noexcept nogil
    @cython.locals(own=Py_ssize_t)
    cpdef Py_ssize_t own_slot(self, Py_ssize_t slot) noexcept nogil
    cpdef void enter_again(self, Py_ssize_t slot, long long at, long long ready_at) noexcept nogil
    cpdef void leave(self, Py_ssize_t slot) noexcept nogil
    cpdef long long value(self, Py_ssize_t slot) noexcept nogil
    cpdef long long due_at(self) noexcept nogil
    @cython.locals(slot=Py_ssize_t, number=cython.longlong)
    cpdef void recompute(self, long long at) noexcept nogil
    cdef bint _is_behind(self, Py_ssize_t run, Py_ssize_t slot) noexcept nogil
    @cython.locals(i=Py_ssize_t, run=Py_ssize_t)
    cdef void _charge_ended(self, long long at) noexcept nogil
    @cython.locals(i=Py_ssize_t, run=Py_ssize_t, going_on=Py_ssize_t, slot=Py_ssize_t)
    cdef void _charge_others(self, long long at) noexcept nogil
    @cython.locals(counts=cython.bint, made_of=Py_ssize_t)
    cdef Py_ssize_t _rate_before(self, long long place, Py_ssize_t slot) noexcept nogil
    @cython.locals(since=cython.longlong, seconds=cython.longlong, amount=cython.double)
    cdef void _charge(self, Py_ssize_t run, long long until) noexcept nogil
    @cython.locals(found=cython.bint)
    cdef bint _reset(self, long long at) noexcept nogil
    @cython.locals(
        made_of=Py_ssize_t, age=cython.double, fairshare=cython.double, points=cython.double
    )
    cdef long long _sum(self, Py_ssize_t slot, long long at) noexcept nogil
    cdef double _age_factor(self, long long seconds) noexcept nogil
