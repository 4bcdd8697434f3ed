cimport cython
from predictor.engine cimport bits, codes
from predictor.engine.accruals cimport Accruals
from predictor.engine.ahead cimport AheadPass
from predictor.engine.calls cimport Calls
from predictor.engine.departures cimport Departures
from predictor.engine.groups cimport Groups
from predictor.engine.heap cimport Heap
from predictor.engine.held cimport Held
from predictor.engine.layout cimport Layout
from predictor.engine.limits cimport Limits
from predictor.engine.lineup cimport Lineup
from predictor.engine.overdue cimport Overdue
from predictor.engine.past cimport Past
from predictor.engine.placer cimport Placer
from predictor.engine.planned_ends cimport PlannedEnds
from predictor.engine.queue cimport Queue
from predictor.engine.ranking cimport Ranking
from predictor.engine.roster cimport Roster
from predictor.engine.sharers cimport Sharers
from predictor.engine.strict cimport StrictPass
from predictor.engine.timeline cimport Timeline
from predictor.engine.timetable cimport Timetable
from predictor.engine.victims cimport Victims


@cython.final
cdef class Forward:
    cdef readonly Layout layout
    cdef readonly Queue queue
    cdef readonly Timeline timeline
    cdef readonly Timetable timetable
    cdef readonly Calls calls
    cdef readonly Groups groups
    cdef readonly Placer placer
    cdef readonly StrictPass strict
    cdef readonly AheadPass ahead
    cdef readonly Limits limits
    cdef readonly Ranking ranking
    cdef readonly Accruals accruals
    cdef readonly Held held
    cdef readonly Past past
    cdef readonly Overdue overdue
    cdef readonly PlannedEnds planned_ends
    cdef readonly Roster roster
    cdef readonly Victims victims
    cdef readonly Departures departures
    cdef readonly Lineup lineup
    cdef readonly Sharers sharers
    cdef readonly Py_ssize_t words, runs
    cdef readonly long long now, begun_at, main_depth, ahead_at, decays_at
    cdef readonly bint stirred
    cdef readonly long long[::1] part_run

    @cython.locals(following=cython.longlong)
    cdef bint run(self, long long until, long long looks_max) noexcept nogil
    cdef void move_to(self, long long at) noexcept nogil
    cdef void _await_decay(self) noexcept nogil
    @cython.locals(depth=cython.longlong, logged=Py_ssize_t, held_until=cython.longlong)
    cdef void _pass(self) noexcept nogil
    @cython.locals(
        i=Py_ssize_t, job=Py_ssize_t, record=Py_ssize_t, boots_s=cython.longlong,
        ends_at=cython.longlong, part=Py_ssize_t, part_ends_at=cython.longlong,
    )
    cdef void note(self, Py_ssize_t logged) noexcept nogil
    @cython.locals(job=Py_ssize_t, person=Py_ssize_t)
    cdef void foresee(self) noexcept nogil
    @cython.locals(what=cython.longlong, who=Py_ssize_t)
    cdef void happen(self) noexcept nogil
    cdef void _see_time(self) noexcept nogil
    cdef void _befall(self, long long what, Py_ssize_t who) noexcept nogil
    cdef void _stir(self) noexcept nogil
    cdef void _stir_in_turn(self) noexcept nogil
    cdef void _end(self, Py_ssize_t person) noexcept nogil
    @cython.locals(runner=Py_ssize_t, i=Py_ssize_t, record=Py_ssize_t, part=Py_ssize_t)
    cdef void _give_back(self, Py_ssize_t person) noexcept nogil
    @cython.locals(job=Py_ssize_t, ready_at=cython.longlong)
    cdef bint _is_sent_back(self, Py_ssize_t person) noexcept nogil
    cdef void _come_back(self, Py_ssize_t job) noexcept nogil
    cdef bint _line_up(self) noexcept nogil
    cdef void _line_up_anew(self) noexcept nogil
    @cython.locals(run=Py_ssize_t, record=Py_ssize_t, part=Py_ssize_t)
    cdef void _charge_no_more(self, Py_ssize_t person) noexcept nogil
    @cython.locals(following=cython.longlong)
    cdef long long _next(self) noexcept nogil
    cdef long long _sooner(self, long long one, long long other) noexcept nogil
    @cython.locals(i=Py_ssize_t, record=Py_ssize_t, slot=Py_ssize_t, cpus=cython.longlong)
    cdef void _recompute(self) noexcept nogil
    @cython.locals(
        i=Py_ssize_t, record=Py_ssize_t, ready=cython.bint, ready_at=cython.longlong
    )
    cdef void _admit(self) noexcept nogil
    @cython.locals(ripe_at=cython.longlong)
    cdef long long _ready_at(self, Py_ssize_t record) noexcept nogil
    @cython.locals(i=Py_ssize_t, slot=Py_ssize_t)
    cdef void _see_size(self, Py_ssize_t slot) noexcept nogil
    cdef void _rank(self, Py_ssize_t job) noexcept nogil
    cdef void _enter(self, Py_ssize_t job) noexcept nogil
    @cython.locals(
        slot=Py_ssize_t, first=Py_ssize_t, rate=cython.double, w=Py_ssize_t,
        word=cython.ulonglong, node=Py_ssize_t, uneven=cython.bint, offset=Py_ssize_t,
        portion=cython.longlong,
    )
    cdef void _charge(
        self, Py_ssize_t record, Py_ssize_t part, long long ends_at
    ) noexcept nogil
