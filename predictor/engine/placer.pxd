cimport cython
from predictor.engine cimport bits, sets
from predictor.engine.choice cimport Choice
from predictor.engine.clearing cimport Clearing
from predictor.engine.given cimport Given
from predictor.engine.groups cimport Groups
from predictor.engine.layout cimport Layout
from predictor.engine.leaning cimport Leaning
from predictor.engine.limits cimport Limits
from predictor.engine.queue cimport Queue
from predictor.engine.search cimport Search
from predictor.engine.timeline cimport Timeline
from predictor.engine.waking cimport Waking


@cython.final
cdef class Placer:
    cdef readonly Queue queue
    cdef readonly Timeline timeline
    cdef readonly Layout layout
    cdef readonly Search search
    cdef readonly Choice choice
    cdef readonly Leaning leaning
    cdef readonly Clearing clearing
    cdef readonly Waking waking
    cdef readonly Given given
    cdef readonly Groups groups
    cdef readonly Limits limits
    cdef readonly Py_ssize_t words
    cdef readonly unsigned long long[::1] nodes
    cdef readonly long long[::1] first_word, end_word, way, length_s, boots_s, start_at
    cdef readonly long long[::1] tried, planned
    cdef public bint brief
    cdef public long long longest_s

    @cython.locals(
        i=Py_ssize_t, record=Py_ssize_t, job=Py_ssize_t, start=cython.longlong, part=Py_ssize_t
    )
    cdef void plan(self, long long now) noexcept nogil
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
    cdef void keep(self, Py_ssize_t part, Py_ssize_t way, long long at) noexcept nogil
    @cython.locals(first=Py_ssize_t, end=Py_ssize_t)
    cdef void keep_as(
        self, Py_ssize_t part, Py_ssize_t way, Py_ssize_t kind, long long at
    ) noexcept nogil
    cdef void note_busy(self) noexcept nogil
    cdef void keep_busiest(
        self, Py_ssize_t part, Py_ssize_t way, Py_ssize_t kind, long long at
    ) noexcept nogil
    cdef void put(self, Py_ssize_t part, unsigned long long[::1] nodes) noexcept nogil
    cdef void _set(
        self, Py_ssize_t part, unsigned long long[::1] nodes, Py_ssize_t first, Py_ssize_t end
    ) noexcept nogil
    @cython.locals(way=Py_ssize_t, offset=Py_ssize_t)
    cdef void turn_to(self, Py_ssize_t part) noexcept nogil
    cdef void turn_to_some(
        self, Py_ssize_t part, unsigned long long[::1] nodes
    ) noexcept nogil
    @cython.locals(way=Py_ssize_t, kind=Py_ssize_t, size=Py_ssize_t, opens=cython.bint, fits=cython.bint)
    cdef bint fits_now(
        self, Py_ssize_t part, long long now, unsigned long long[::1] closed
    ) noexcept nogil
    @cython.locals(length=cython.longlong)
    cdef long long length_of(self, Py_ssize_t way) noexcept nogil
    cdef void hold(self, Py_ssize_t part, long long at, bint take) noexcept nogil
    @cython.locals(kind=Py_ssize_t, offset=Py_ssize_t, shape=Py_ssize_t)
    cdef void lay(
        self, Py_ssize_t part, long long start_at, long long end_at, bint take
    ) noexcept nogil
    cdef bint is_uneven(self, Py_ssize_t part) noexcept nogil
    @cython.locals(spread=Py_ssize_t)
    cdef bint _uneven(self, Py_ssize_t kind) noexcept nogil
    @cython.locals(shape=Py_ssize_t, row=Py_ssize_t)
    cpdef long long cpus_of(self, Py_ssize_t part, Py_ssize_t node) noexcept nogil
    @cython.locals(
        found=cython.longlong, part=Py_ssize_t, offset=Py_ssize_t, width=Py_ssize_t, w=Py_ssize_t,
        word=cython.ulonglong,
    )
    cdef long long cpus_found(self, Py_ssize_t record) noexcept nogil
    @cython.locals(w=Py_ssize_t, word=cython.ulonglong)
    cdef bint is_on(self, Py_ssize_t part, Py_ssize_t node) noexcept nogil
    @cython.locals(
        longest=cython.longlong, run_s=cython.longlong, part=Py_ssize_t, cut=cython.bint,
        first=Py_ssize_t, reservation=Py_ssize_t, since=cython.longlong, closes_at=cython.longlong,
    )
    cdef long long run_s(self, Py_ssize_t job, Py_ssize_t record) noexcept nogil
    cdef long long planned_end(self, Py_ssize_t part) noexcept nogil
    @cython.locals(planned_end_at=cython.longlong)
    cdef void overrun(self, Py_ssize_t part, long long ends_at, bint take) noexcept nogil
    @cython.locals(
        job=Py_ssize_t, part=Py_ssize_t, ends_at=cython.longlong, boots_s=cython.longlong,
        longest_s=cython.longlong,
    )
    cdef void start(self, Py_ssize_t record, long long at) noexcept nogil
    @cython.locals(longest=cython.longlong, part=Py_ssize_t)
    cdef long long _wake(self, Py_ssize_t record, long long at) noexcept nogil
    @cython.locals(part=Py_ssize_t, claim=Py_ssize_t)
    cdef bint is_too_wide(self, Py_ssize_t record) noexcept nogil
    cdef bint refused(self, Py_ssize_t record, long long at) noexcept nogil
    @cython.locals(part=Py_ssize_t, claim=Py_ssize_t, rule=Py_ssize_t)
    cdef Py_ssize_t early_rule_against(self, Py_ssize_t record, long long at) noexcept nogil
    cdef bint forgets(self, Py_ssize_t rule) noexcept nogil
    @cython.locals(part=Py_ssize_t, claim=Py_ssize_t, rule=Py_ssize_t)
    cdef Py_ssize_t rule_against(self, Py_ssize_t record, long long at) noexcept nogil
    @cython.locals(part=Py_ssize_t, claim=Py_ssize_t)
    cdef bint refused_there(self, Py_ssize_t record, long long at) noexcept nogil
    cdef void _turn_limits_to(self, Py_ssize_t part, Py_ssize_t claim) noexcept nogil
    @cython.locals(uneven=cython.bint)
    cdef long long _uneven_cpus(self, Py_ssize_t part) noexcept nogil
    @cython.locals(part=Py_ssize_t, claim=Py_ssize_t, cpus=cython.longlong)
    cdef bint refused_anew(self, Py_ssize_t record, long long at) noexcept nogil
    @cython.locals(part=Py_ssize_t, claim=Py_ssize_t)
    cdef bint refused_anywhere(self, Py_ssize_t record, long long at) noexcept nogil
    @cython.locals(
        insists=cython.bint, part=Py_ssize_t, kind=Py_ssize_t, at=Py_ssize_t, most=cython.longlong,
        by_cpu=cython.bint,
    )
    cdef bint fails(self, Py_ssize_t record, long long now) noexcept nogil
    cdef Py_ssize_t leaves(self, Py_ssize_t part) noexcept nogil
    @cython.locals(
        part=Py_ssize_t, way=Py_ssize_t, end_at=cython.longlong, reservation=Py_ssize_t,
        calendar=Py_ssize_t, era=Py_ssize_t, row=Py_ssize_t,
    )
    cdef bint is_shut_out(self, Py_ssize_t record, long long now) noexcept nogil
    @cython.locals(part=Py_ssize_t)
    cdef bint is_on_uncleared(self, Py_ssize_t record) noexcept nogil
