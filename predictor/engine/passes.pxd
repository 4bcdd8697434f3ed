cimport cython
from predictor.engine.choice cimport Choice
from predictor.engine.groups cimport Groups
from predictor.engine.layout cimport Layout
from predictor.engine.limits cimport Limits
from predictor.engine.queue cimport Queue
from predictor.engine.search cimport Search
from predictor.engine.timeline cimport Timeline


@cython.final
cdef class Passes:
    cdef readonly Queue queue
    cdef readonly Timeline timeline
    cdef readonly Layout layout
    cdef readonly Search search
    cdef readonly Choice choice
    cdef readonly Groups groups
    cdef readonly Limits limits
    cdef readonly bint rounds_up, exact_slots, one_slot, licenses_planned, limits_stop
    cdef readonly Py_ssize_t words, slot_count, looks
    cdef readonly long long window_s, step_s, jobs_max, user_max, partition_max, both_max
    cdef readonly long long array_max, starts_max, protected_max, min_age_s
    cdef readonly unsigned long long[::1] nodes, closed
    cdef readonly long long[::1] way, start_at, announced, failed, slots, slotted, tried
    cdef readonly long long[::1] of_user, of_partition, of_both, of_array, protected

    @cython.locals(
        first=Py_ssize_t, end=Py_ssize_t, latest=cython.longlong, placed=Py_ssize_t,
        agree=cython.bint, start=cython.longlong, complete=cython.bint, part=Py_ssize_t,
    )
    cdef long long place(
        self, Py_ssize_t record, long long at, long long now, long long margin_s
    ) noexcept nogil
    @cython.locals(
        best=cython.longlong, way=Py_ssize_t, kind=Py_ssize_t, size=Py_ssize_t,
        length=cython.longlong, start=cython.longlong,
    )
    cdef long long _place_part(
        self, Py_ssize_t part, long long at, bint remember, long long margin_s
    ) noexcept nogil
    @cython.locals(w=Py_ssize_t)
    cdef void _keep(self, Py_ssize_t part, Py_ssize_t way, long long at) noexcept nogil
    @cython.locals(
        way=Py_ssize_t, kind=Py_ssize_t, end_at=cython.longlong, shape=Py_ssize_t,
        offset=Py_ssize_t,
    )
    cdef void hold(self, Py_ssize_t part, long long at, bint take) noexcept nogil
    @cython.locals(job=Py_ssize_t, part=Py_ssize_t, ends_at=cython.longlong)
    cdef void _start(self, Py_ssize_t record, long long at) noexcept nogil
    @cython.locals(part=Py_ssize_t, claim=Py_ssize_t)
    cdef bint _refused(self, Py_ssize_t record, long long at) noexcept nogil
    @cython.locals(part=Py_ssize_t, claim=Py_ssize_t)
    cdef bint _refused_there(self, Py_ssize_t record, long long at) noexcept nogil
    @cython.locals(
        partition=Py_ssize_t, w=Py_ssize_t, seen=cython.longlong, failures=Py_ssize_t,
        i=Py_ssize_t, record=Py_ssize_t, part=Py_ssize_t, reserved=cython.bint,
    )
    cdef void in_order(self, long long now, long long depth) noexcept nogil
    cdef Py_ssize_t _fail(self, Py_ssize_t partition) noexcept nogil
    @cython.locals(way=Py_ssize_t, members=Py_ssize_t)
    cdef bint _is_shut_out(self, Py_ssize_t part) noexcept nogil
    @cython.locals(way=Py_ssize_t, kind=Py_ssize_t, size=Py_ssize_t)
    cdef bint _fits_now(self, Py_ssize_t part, long long now) noexcept nogil
    @cython.locals(kind=Py_ssize_t)
    cdef bint _lacks_licenses(self, Py_ssize_t part, long long now) noexcept nogil
    @cython.locals(ripe_at=cython.longlong)
    cdef bint _is_young(self, Py_ssize_t record, long long now) noexcept nogil
    @cython.locals(way=Py_ssize_t)
    cdef bint _names_nodes(self, Py_ssize_t part) noexcept nogil
    @cython.locals(
        named=cython.bint, way=Py_ssize_t, base=Py_ssize_t, w=Py_ssize_t, word=cython.ulonglong
    )
    cdef void _close(self, Py_ssize_t part) noexcept nogil
    @cython.locals(
        started=Py_ssize_t, looked=cython.longlong, end=Py_ssize_t, i=Py_ssize_t,
        record=Py_ssize_t, part=Py_ssize_t, full=cython.bint,
    )
    cdef void ahead(self, long long now, bint whole) noexcept nogil
    @cython.locals(
        job=Py_ssize_t, partition=Py_ssize_t, part=Py_ssize_t, start=cython.longlong,
        refused=cython.bint,
    )
    cdef void _look_at(self, Py_ssize_t record, long long now, bint full) noexcept nogil
    @cython.locals(
        part=Py_ssize_t, step=cython.longlong, start_at=cython.longlong, end_at=cython.longlong
    )
    cdef void _set_slot(self, Py_ssize_t record, bint take) noexcept nogil
    @cython.locals(slot=Py_ssize_t, i=Py_ssize_t, record=Py_ssize_t)
    cdef Py_ssize_t _last_that_could_start(self, long long now) noexcept nogil
    @cython.locals(part=Py_ssize_t, roomy=cython.bint, way=Py_ssize_t)
    cdef bint _has_room(self, Py_ssize_t record) noexcept nogil
    @cython.locals(user=Py_ssize_t, partition=Py_ssize_t, both=Py_ssize_t, array=Py_ssize_t)
    cdef void _clear_counts(self) noexcept nogil
    @cython.locals(job=Py_ssize_t, partition=Py_ssize_t, user=Py_ssize_t, both=Py_ssize_t)
    cdef bint _within_caps(self, Py_ssize_t record) noexcept nogil
    @cython.locals(job=Py_ssize_t, partition=Py_ssize_t, user=Py_ssize_t)
    cdef void _count(self, Py_ssize_t record) noexcept nogil
    @cython.locals(
        i=Py_ssize_t, record=Py_ssize_t, job=Py_ssize_t, start=cython.longlong, part=Py_ssize_t
    )
    cdef void plan(self, long long now) noexcept nogil
    @cython.locals(
        first=Py_ssize_t, best=cython.longlong, way=Py_ssize_t, start=cython.longlong
    )
    cdef long long _soonest(self, Py_ssize_t record, long long now) noexcept nogil
    @cython.locals(
        kind=Py_ssize_t, size=Py_ssize_t, length=cython.longlong, at=cython.longlong,
        later=cython.longlong, start=cython.longlong,
    )
    cdef long long _seek(
        self, Py_ssize_t part, Py_ssize_t way, long long now, long long bound
    ) noexcept nogil
    @cython.locals(start_at=cython.longlong, end_at=cython.longlong)
    cdef bint _collides(self, Py_ssize_t part, Py_ssize_t way, long long start) noexcept nogil
