cimport cython
from predictor.engine cimport codes, sets
from predictor.engine.bookings cimport Bookings
from predictor.engine.fitting cimport Fitting
from predictor.engine.groups cimport Groups
from predictor.engine.layout cimport Layout
from predictor.engine.lending cimport Lending
from predictor.engine.leaning cimport Leaning
from predictor.engine.openings cimport Openings
from predictor.engine.placer cimport Placer
from predictor.engine.queue cimport Queue
from predictor.engine.search cimport Search
from predictor.engine.sight cimport Sight
from predictor.engine.slots cimport Slots
from predictor.engine.ties cimport Ties
from predictor.engine.timeline cimport Timeline
from predictor.engine.together cimport Together
from predictor.engine.trials cimport Trials


@cython.final
cdef class Seeking:
    cdef readonly Placer placer
    cdef readonly Queue queue
    cdef readonly Layout layout
    cdef readonly Timeline timeline
    cdef readonly Search search
    cdef readonly Groups groups
    cdef readonly Ties ties
    cdef readonly Fitting fitting
    cdef readonly Slots slots
    cdef readonly Openings openings
    cdef readonly Bookings bookings
    cdef readonly Lending lending
    cdef readonly Sight sight
    cdef readonly Trials trials
    cdef readonly Together together
    cdef readonly Py_ssize_t words, component
    cdef readonly long long window_s, step_s, found_at, ended_at, latest, looked_from, start
    cdef readonly long long forever
    cdef public long long since
    cdef readonly bint exact_slots, busy_first, ends_anew, own_ends, overlaps_first, weighs_anew, untried, waits_for_ends
    cdef readonly unsigned long long[::1] gathered, none, uncleared

    @cython.locals(counts_late=cython.bint)
    cdef void turn_to(
        self, Py_ssize_t record, long long now, long long since, long long latest
    ) noexcept nogil
    @cython.locals(
        first=Py_ssize_t, best=cython.longlong, best_way=Py_ssize_t, way=Py_ssize_t,
        start=cython.longlong, soonest=cython.longlong, since=cython.longlong, frees=cython.bint,
    )
    cdef long long soonest(self, Py_ssize_t record, long long now) noexcept nogil
    @cython.locals(kind=Py_ssize_t)
    cdef long long seek(
        self, Py_ssize_t part, Py_ssize_t way, long long now, long long bound
    ) noexcept nogil
    @cython.locals(
        kind=Py_ssize_t, size=Py_ssize_t, length=cython.longlong, latest=cython.longlong,
        start=cython.longlong, group=Py_ssize_t, w=Py_ssize_t, since=cython.longlong,
        until=cython.longlong,
    )
    cdef long long _seek_groups(
        self, Py_ssize_t part, Py_ssize_t way, long long now, long long bound
    ) noexcept nogil
    @cython.locals(
        size=Py_ssize_t, needed=Py_ssize_t, length=cython.longlong, at=cython.longlong,
        later=cython.longlong, until=cython.longlong, start=cython.longlong, ended_at=cython.longlong,
        own=cython.bint, kept=cython.bint, passed=cython.bint,
    )
    cdef long long _seek_kind(
        self, Py_ssize_t part, Py_ssize_t way, Py_ssize_t kind, long long now, long long bound
    ) noexcept nogil
    @cython.locals(
        size=Py_ssize_t, end_at=cython.longlong, needed=Py_ssize_t, ended_at=cython.longlong
    )
    cdef inline long long _try_from(
        self, Py_ssize_t part, Py_ssize_t way, Py_ssize_t kind, long long at, long long now,
        long long later,
    ) noexcept nogil
    cdef void _note(self, long long start) noexcept nogil
    @cython.locals(starts=cython.bint)
    cdef void _weigh(
        self, Py_ssize_t kind, Py_ssize_t size, long long at, long long now, long long ended_at
    ) noexcept nogil
    @cython.locals(kept=cython.bint)
    cdef bint _keep(
        self, Py_ssize_t part, Py_ssize_t way, Py_ssize_t kind, long long at, long long start,
        long long ended_at,
    ) noexcept nogil
    @cython.locals(
        size=Py_ssize_t, length=cython.longlong, since=cython.longlong, until=cython.longlong,
        needed=Py_ssize_t, vain=cython.bint, offset=Py_ssize_t, own_end=cython.longlong,
    )
    cdef bint _choose(
        self, Py_ssize_t part, Py_ssize_t way, Py_ssize_t kind, long long at, long long start,
        long long ended_at,
    ) noexcept nogil
    cdef void _take(
        self, Py_ssize_t part, Py_ssize_t way, Py_ssize_t kind, long long ended_at
    ) noexcept nogil
    @cython.locals(
        since=cython.longlong, until=cython.longlong, since_step=cython.longlong
    )
    cdef bint _is_clear(
        self, Py_ssize_t part, Py_ssize_t kind, long long at, long long length
    ) noexcept nogil
    @cython.locals(since=cython.longlong)
    cdef long long _unknown_since(self, long long at, long long length) noexcept nogil
    @cython.locals(ended_at=cython.longlong)
    cdef long long _ended_from(
        self, Py_ssize_t kind, Py_ssize_t size, long long at, long long now, long long later
    ) noexcept nogil
    @cython.locals(
        guess=Py_ssize_t, slot=Py_ssize_t, latest=Py_ssize_t, ended_at=cython.longlong,
        since=cython.longlong, until=cython.longlong,
    )
    cdef long long _ended_at(self, Py_ssize_t kind, Py_ssize_t size, long long later) noexcept nogil
