cimport cython
from predictor.engine cimport codes, sets
from predictor.engine.announcements cimport Announcements
from predictor.engine.bookings cimport Bookings
from predictor.engine.caps cimport Caps
from predictor.engine.chances cimport Chances
from predictor.engine.delays cimport Delays
from predictor.engine.layout cimport Layout
from predictor.engine.leaving cimport Leaving
from predictor.engine.lending cimport Lending
from predictor.engine.leaning cimport Leaning
from predictor.engine.openings cimport Openings
from predictor.engine.placer cimport Placer
from predictor.engine.queue cimport Queue
from predictor.engine.search cimport Search
from predictor.engine.seeking cimport Seeking
from predictor.engine.sight cimport Sight
from predictor.engine.slots cimport Slots
from predictor.engine.together cimport Together
from predictor.engine.trials cimport Trials
from predictor.engine.turns cimport Turns
from predictor.engine.victims cimport Victims


@cython.final
cdef class AheadPass:
    cdef readonly Placer placer
    cdef readonly Queue queue
    cdef readonly Victims victims
    cdef readonly unsigned long long[::1] closed
    cdef readonly Layout layout
    cdef readonly Search search
    cdef readonly Bookings bookings
    cdef readonly Lending lending
    cdef readonly Leaving leaving
    cdef readonly Openings openings
    cdef readonly Chances chances
    cdef readonly bint exact_slots
    cdef readonly bint busy_first, limits_placed, limits_stop, running_reserved
    cdef readonly Caps caps
    cdef readonly Delays delays
    cdef readonly Slots slots
    cdef readonly Together together
    cdef readonly Trials trials
    cdef readonly Announcements announced
    cdef readonly Turns turns
    cdef readonly Py_ssize_t words, looks
    cdef readonly long long window_s, step_s, starts_max, entries_max
    cdef readonly Seeking seeking
    cdef readonly bint is_full, presses
    cdef public bint tries_all
    cdef readonly unsigned long long[::1] wished

    @cython.locals(
        started=Py_ssize_t, end=Py_ssize_t, i=Py_ssize_t, record=Py_ssize_t, chance=Py_ssize_t,
        array=Py_ssize_t, vain_array=Py_ssize_t, vain_chance=Py_ssize_t,
        array_before=Py_ssize_t, job=Py_ssize_t, follows=cython.bint,
    )
    cdef void run(self, long long now, bint whole) noexcept nogil
    @cython.locals(window_end=cython.longlong)
    cdef void _begin(self, long long now) noexcept nogil
    cdef bint _may_be_looked_at(self, Py_ssize_t record, long long now) noexcept nogil
    @cython.locals(never=cython.bint)
    cdef bint _is_sought(self, Py_ssize_t record, long long now) noexcept nogil
    @cython.locals(
        start=cython.longlong, refused=cython.bint, uncleared=cython.bint, waits_on=cython.bint,
        rule=Py_ssize_t, since=cython.longlong, latest=cython.longlong,
    )
    cdef bint _look_at(self, Py_ssize_t record, long long now, bint follows) noexcept nogil
    cdef bint _is_in_vain(self, Py_ssize_t record, long long now) noexcept nogil
    cdef void _start(self, Py_ssize_t record, long long now) noexcept nogil
    @cython.locals(part=Py_ssize_t)
    cdef bint _reserve(self, Py_ssize_t record, long long start) noexcept nogil
    cdef bint _is_kept_back(self, Py_ssize_t record, long long now) noexcept nogil
    cdef bint _is_refused_later(self, Py_ssize_t record, long long now) noexcept nogil
    @cython.locals(
        part=Py_ssize_t, way=Py_ssize_t, start=cython.longlong, since=cython.longlong,
        until=cython.longlong,
    )
    cdef long long _put_off(
        self, Py_ssize_t record, Py_ssize_t rule, long long now
    ) noexcept nogil
    @cython.locals(part=Py_ssize_t, leant=cython.bint, kind=Py_ssize_t)
    cdef void _turn_to(self, Py_ssize_t record, long long now) noexcept nogil
    @cython.locals(start=cython.longlong)
    cdef long long _first(self, Py_ssize_t record, long long now) noexcept nogil
    @cython.locals(alone=cython.longlong, over=cython.longlong, part=Py_ssize_t, ends=cython.bint)
    cdef long long _soonest_alone(
        self, Py_ssize_t record, long long now, long long start
    ) noexcept nogil
    cdef void _look_anew(self) noexcept nogil
