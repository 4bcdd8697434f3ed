cimport cython
from predictor.engine cimport codes
from predictor.engine.filling cimport Filling
from predictor.engine.placer cimport Placer
from predictor.engine.present cimport Present
from predictor.engine.queue cimport Queue


@cython.final
cdef class PolicyPass:
    cdef readonly Placer placer
    cdef readonly Queue queue
    cdef readonly Present present
    cdef readonly Filling filling
    cdef readonly bint skips, fills, bounds, keeps_plans, foresees, left_out
    cdef readonly long long reservations, eligible_max, queued_max, nameless, passes, looks, looks_max, forever
    cdef readonly Py_ssize_t scopes, blocks, found, plan_count
    cdef readonly long long[::1] plan_at, plan_record, plans, seen_in, first_left_out
    cdef readonly long long[::1] of_user, most_of_user, of_lane, reserved, blocked

    @cython.locals(renewed=cython.bint, i=Py_ssize_t, record=Py_ssize_t, job=Py_ssize_t)
    cdef void run(self, long long now) noexcept nogil
    @cython.locals(scope=Py_ssize_t, lane=Py_ssize_t)
    cdef void _begin(self) noexcept nogil
    @cython.locals(user=Py_ssize_t, person=Py_ssize_t)
    cdef void _count_users(self) noexcept nogil
    cdef Py_ssize_t _scope(self, Py_ssize_t record) noexcept nogil
    @cython.locals(exhausted=cython.bint)
    cdef bint _is_past_help(self, Py_ssize_t record, Py_ssize_t job) noexcept nogil
    @cython.locals(lane=Py_ssize_t, ready_by=cython.longlong)
    cdef bint _comes_to(self, Py_ssize_t record, Py_ssize_t job, long long now) noexcept nogil
    @cython.locals(user=Py_ssize_t)
    cdef bint _is_left_out(self, Py_ssize_t job) noexcept nogil
    @cython.locals(scope=Py_ssize_t, may_wait=cython.bint, start=cython.longlong)
    cdef void _look_at(self, Py_ssize_t record, Py_ssize_t job) noexcept nogil
    cdef void _block(self, Py_ssize_t scope) noexcept nogil
    @cython.locals(now=cython.longlong, start=cython.longlong)
    cdef long long _place(self, Py_ssize_t job, bint may_wait) noexcept nogil
    @cython.locals(able=cython.bint)
    cdef long long _at_once(self, Py_ssize_t job) noexcept nogil
    @cython.locals(
        best=cython.longlong, now=cython.longlong, at=cython.longlong, i=Py_ssize_t, record=Py_ssize_t,
        start=cython.longlong,
    )
    cdef long long _soonest(self, Py_ssize_t job) noexcept nogil
    @cython.locals(i=Py_ssize_t)
    cdef void _fill(self) noexcept nogil
    cdef void _plan(self, Py_ssize_t job, long long start) noexcept nogil
    @cython.locals(record=Py_ssize_t, part=Py_ssize_t)
    cdef void _hold(self, Py_ssize_t job, bint take) noexcept nogil
    cdef void _drop(self, Py_ssize_t job) noexcept nogil
    @cython.locals(i=Py_ssize_t)
    cdef void _withdraw(self) noexcept nogil
    @cython.locals(i=Py_ssize_t, job=Py_ssize_t)
    cdef void _withdraw_behind(self, Py_ssize_t place) noexcept nogil
    @cython.locals(kept=Py_ssize_t, i=Py_ssize_t)
    cdef void _forget_dropped(self) noexcept nogil
    @cython.locals(i=Py_ssize_t, job=Py_ssize_t)
    cdef void start_planned(self, long long now) noexcept nogil
    @cython.locals(following=cython.longlong, i=Py_ssize_t, at=cython.longlong)
    cdef long long next_planned(self) noexcept nogil
