cimport cython
from predictor.engine cimport codes
from predictor.engine.heap cimport Heap


@cython.final
cdef class Queue:
    cdef readonly Py_ssize_t records, parts, jobs, people, conditions
    cdef readonly Py_ssize_t partitions, users, arrays, associations, lanes
    cdef readonly Py_ssize_t waiting, awaited, logged, length
    cdef readonly long long boots_s, forever
    cdef readonly long long[::1] record_job, record_partition, chance, record_slot, band, tie
    cdef readonly long long[::1] protected_from, unreserved, fleeting, is_low
    cdef readonly long long[::1] component, drawn, queued, sought, whole
    cdef readonly long long[::1] job_start, job_record, rate_start, run, replaced, known_as
    cdef readonly double[::1] rate
    cdef readonly long long[::1] part_start, way_start, kind, size, length_s, least_s, claim
    cdef readonly long long[::1] user, ordinal, array, apart, association, run_s, enters_at, leaves_at, over_by, kept_back, not_before, any_of
    cdef readonly long long[::1] lane, ends_at, held_start, held_from, held_until
    cdef readonly long long[::1] condition_job, condition_started, condition_delay
    cdef readonly long long[::1] condition_people, watch_start, watch, watch_rival
    cdef readonly long long[::1] lane_width, lane_running
    cdef readonly long long[::1] eligible_since, insists_s
    cdef readonly long long[::1] state, taken, ripe_at, unmet, holds, missing, met_at
    cdef readonly long long[::1] started_at, started_record, log, order
    cdef readonly long long[::1] begun, asleep, is_awaited, runs_over, later_start, later_at, later_run_s
    cdef readonly Heap events

    @cython.locals(
        record=Py_ssize_t, lane=Py_ssize_t, condition=Py_ssize_t, job=Py_ssize_t,
        person=Py_ssize_t,
    )
    cdef void begin(self, long long now) noexcept nogil
    @cython.locals(i=Py_ssize_t)
    cdef void _set_out(self, Py_ssize_t job, long long now) noexcept nogil
    cdef void _count(self, Py_ssize_t job, Py_ssize_t change) noexcept nogil
    @cython.locals(job=Py_ssize_t, lane=Py_ssize_t)
    cdef bint is_queued(self, Py_ssize_t record, long long at) noexcept nogil
    cdef bint is_ready(self, Py_ssize_t record, long long at) noexcept nogil
    cdef bint is_young(self, Py_ssize_t record, long long at, long long age_s) noexcept nogil
    cdef long long _considered_since(self, Py_ssize_t job) noexcept nogil
    cdef long long insists_until(self, Py_ssize_t job) noexcept nogil
    @cython.locals(until=cython.longlong)
    cdef bint insists(self, Py_ssize_t job, long long now) noexcept nogil
    @cython.locals(job=Py_ssize_t)
    cdef void start(self, Py_ssize_t record, long long at) noexcept nogil
    cdef void end(self, Py_ssize_t person, long long at) noexcept nogil
    @cython.locals(later=Py_ssize_t)
    cdef bint is_sent_back(self, Py_ssize_t job) noexcept nogil
    @cython.locals(later=Py_ssize_t)
    cdef long long ready_again_at(self, Py_ssize_t job) noexcept nogil
    @cython.locals(i=Py_ssize_t)
    cdef void send_back(self, Py_ssize_t job, long long ready_at) noexcept nogil
    @cython.locals(i=Py_ssize_t)
    cdef void _line_up(self, Py_ssize_t record) noexcept nogil
    cdef void hand_over(self, Py_ssize_t person) noexcept nogil
    cdef void _more_log(self) noexcept with gil
    @cython.locals(waited=cython.bint)
    cdef bint leave(self, Py_ssize_t job, long long at) noexcept nogil
    @cython.locals(left_s=cython.longlong)
    cdef long long longest_s(self, Py_ssize_t job, long long at) noexcept nogil
    @cython.locals(i=Py_ssize_t, record=Py_ssize_t, first=Py_ssize_t, way=Py_ssize_t)
    cdef void plan_truly(self, Py_ssize_t job) noexcept nogil
    cdef void come(self, Py_ssize_t job) noexcept nogil
    @cython.locals(kept=Py_ssize_t, i=Py_ssize_t, record=Py_ssize_t)
    cdef void sweep(self) noexcept nogil
    cdef void _join_lane(self, Py_ssize_t person, long long change) noexcept nogil
    @cython.locals(
        i=Py_ssize_t, condition=Py_ssize_t, known_as=Py_ssize_t, more=cython.longlong
    )
    cdef void _told(self, Py_ssize_t person, long long at, long long started) noexcept nogil
    @cython.locals(job=Py_ssize_t, ripe_at=cython.longlong)
    cdef void _fulfil(self, Py_ssize_t condition, long long at) noexcept nogil
