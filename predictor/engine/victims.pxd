cimport cython
from predictor.engine cimport codes
from predictor.engine.layout cimport Layout
from predictor.engine.owners cimport Owners
from predictor.engine.placer cimport Placer
from predictor.engine.queue cimport Queue
from predictor.engine.ranking cimport Ranking
from predictor.engine.roster cimport Roster
from predictor.engine.stations cimport Stations
from predictor.engine.still cimport Still


@cython.final
cdef class Victims:
    cdef readonly Placer placer
    cdef readonly Roster roster
    cdef readonly Queue queue
    cdef readonly Layout layout
    cdef readonly Still still
    cdef readonly Owners owners
    cdef readonly Ranking ranking
    cdef readonly Stations stations
    cdef readonly Py_ssize_t words, count, quiet_count
    cdef readonly bint youngest_first, keeps_order, halts
    cdef readonly long long tries, back_after_s, spared_from, patience_s
    cdef readonly long long first_clears_s, others_clear_s
    cdef readonly long long[::1] of_record, of_runner, began_at, spared_until, again, returns
    cdef readonly long long[::1] listed
    cdef readonly long long[::1] found, use, quiet, stands, level, level_of_record
    cdef readonly long long[::1] pressed_at

    cdef void enter(self, Py_ssize_t person, long long began_at, long long ends_at) noexcept nogil
    @cython.locals(person=Py_ssize_t)
    cdef void enter_runner(self, Py_ssize_t runner) noexcept nogil
    @cython.locals(i=Py_ssize_t, j=Py_ssize_t, person=Py_ssize_t)
    cdef void begin(self, long long now) noexcept nogil
    @cython.locals(mine=Py_ssize_t, theirs=Py_ssize_t)
    cdef bint _may(self, Py_ssize_t one, Py_ssize_t other) noexcept nogil
    cdef bint _may_be_ended(self, Py_ssize_t station) noexcept nogil
    cdef bint _is_spared(
        self, Py_ssize_t person, Py_ssize_t station, long long now
    ) noexcept nogil
    @cython.locals(hold=Py_ssize_t, node=Py_ssize_t)
    cdef void _owe(self, Py_ssize_t giver, Py_ssize_t taker, long long now) noexcept nogil
    @cython.locals(slot=Py_ssize_t)
    cdef long long _level(self, Py_ssize_t record) noexcept nogil
    @cython.locals(
        mine=Py_ssize_t, theirs=Py_ssize_t, level=cython.longlong, other_level=cython.longlong
    )
    cdef bint precedes(self, Py_ssize_t one, Py_ssize_t other) noexcept nogil
    @cython.locals(
        part=Py_ssize_t, mine=Py_ssize_t, i=Py_ssize_t, person=Py_ssize_t, station=Py_ssize_t, level=cython.longlong,
    )
    cdef Py_ssize_t find(self, Py_ssize_t record, long long now, bint plans) noexcept nogil
    cdef Py_ssize_t station(self, Py_ssize_t person) noexcept nogil
    @cython.locals(i=Py_ssize_t)
    cdef void _insert(self, Py_ssize_t person) noexcept nogil
    @cython.locals(
        began_at=cython.longlong, other_began_at=cython.longlong, order=cython.longlong,
        other_order=cython.longlong,
    )
    cdef bint _goes_before(self, Py_ssize_t one, Py_ssize_t other) noexcept nogil
    @cython.locals(i=Py_ssize_t, began_at=cython.longlong)
    cdef void _insert_quiet(self, Py_ssize_t person) noexcept nogil
    @cython.locals(i=Py_ssize_t)
    cdef void hush(self, long long now, bint aside) noexcept nogil
    @cython.locals(
        mine=Py_ssize_t, part=Py_ssize_t, i=Py_ssize_t, person=Py_ssize_t, station=Py_ssize_t
    )
    cdef bint is_over_apart(self, Py_ssize_t record) noexcept nogil
    @cython.locals(fits=cython.bint)
    cdef bint fits_over(
        self, Py_ssize_t record, long long now, unsigned long long[::1] closed
    ) noexcept nogil
    @cython.locals(
        part=Py_ssize_t, job=Py_ssize_t, lasts_s=cython.longlong, until=cython.longlong,
        node=Py_ssize_t, i=Py_ssize_t,
    )
    cdef void press(self, Py_ssize_t record, long long now) noexcept nogil
    @cython.locals(i=Py_ssize_t)
    cdef void clear(self, long long now) noexcept nogil
    @cython.locals(i=Py_ssize_t)
    cdef void restore(self, long long now) noexcept nogil
    @cython.locals(i=Py_ssize_t)
    cdef void _lay_dying(self, bint take) noexcept nogil
    @cython.locals(
        part=Py_ssize_t, helped=cython.bint, chosen=Py_ssize_t, i=Py_ssize_t, person=Py_ssize_t,
        job=Py_ssize_t,
    )
    cdef bint make_room(
        self, Py_ssize_t record, long long now, unsigned long long[::1] closed
    ) noexcept nogil
    @cython.locals(pressed_at=cython.longlong)
    cdef bint _is_patient(self, Py_ssize_t job, long long now) noexcept nogil
    @cython.locals(i=Py_ssize_t, person=Py_ssize_t)
    cdef bint is_on_dying(self, Py_ssize_t part) noexcept nogil
    @cython.locals(tried=cython.longlong, last=Py_ssize_t)
    cdef Py_ssize_t _choose(
        self, Py_ssize_t part, long long now, unsigned long long[::1] closed
    ) noexcept nogil
    @cython.locals(gone=Py_ssize_t, last=Py_ssize_t, i=Py_ssize_t)
    cdef Py_ssize_t _fewest(
        self, Py_ssize_t part, long long now, unsigned long long[::1] closed
    ) noexcept nogil
    @cython.locals(person=Py_ssize_t, i=Py_ssize_t, j=Py_ssize_t, offset=Py_ssize_t, use=cython.longlong)
    cdef void _reorder(self, Py_ssize_t part, Py_ssize_t last) noexcept nogil
    @cython.locals(grace_s=cython.longlong)
    cdef void _end(self, Py_ssize_t person, long long now, Py_ssize_t job) noexcept nogil
    cdef void _spare(self, Py_ssize_t person, long long until, Py_ssize_t job) noexcept nogil
    cdef void _cut(
        self, Py_ssize_t person, long long gone_at, bint dying, Py_ssize_t job
    ) noexcept nogil
    @cython.locals(is_first=bint, w=Py_ssize_t, nodes=cython.ulonglong, one=cython.ulonglong)
    cdef void leave(self, Py_ssize_t person, long long now) noexcept nogil
    @cython.locals(hold=Py_ssize_t, nodes=cython.ulonglong)
    cdef unsigned long long _nodes_of(self, Py_ssize_t person, Py_ssize_t w) noexcept nogil
    cdef void _vacate(
        self, Py_ssize_t w, unsigned long long nodes, long long now, long long clears_s
    ) noexcept nogil
    cdef long long ready_at(self, long long now) noexcept nogil
    cdef bint is_cut(self, Py_ssize_t person) noexcept nogil
    cdef Py_ssize_t returns_as(self, Py_ssize_t person) noexcept nogil
