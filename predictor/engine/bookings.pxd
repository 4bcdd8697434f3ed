cimport cython
from predictor.engine cimport codes, moves, sets
from predictor.engine.layout cimport Layout
from predictor.engine.marks cimport Marks
from predictor.engine.placer cimport Placer
from predictor.engine.timeline cimport Timeline


@cython.final
cdef class Bookings:
    cdef readonly Placer placer
    cdef readonly Timeline timeline
    cdef readonly Layout layout
    cdef readonly Marks gives
    cdef readonly Py_ssize_t words, count, rows, entries
    cdef readonly long long births, changed, window_end
    cdef readonly long long[::1] time, row, changes, era, edge, slot, birth, leads, unmerged
    cdef readonly long long[::1] lent, relent
    cdef readonly bint shared, has_unmerged
    cdef readonly unsigned long long[::1] booked, so_far, onward, found, taken
    cdef readonly Py_ssize_t first_word, end_word

    @cython.locals(row=Py_ssize_t, base=Py_ssize_t)
    cdef void begin(self, long long now, long long window_end, long long step_s) noexcept nogil
    @cython.locals(
        calendar=Py_ssize_t, e=Py_ssize_t, at=cython.longlong, edge_at=cython.longlong,
        place=Py_ssize_t,
    )
    cdef void _cut_eras(self, long long now, long long step_s) noexcept nogil
    @cython.locals(place=Py_ssize_t, row=Py_ssize_t)
    cdef void look_again(self) noexcept nogil
    @cython.locals(place=Py_ssize_t)
    cdef void start_over(self) noexcept nogil
    @cython.locals(place=Py_ssize_t)
    cdef void add_booked(self, unsigned long long[::1] nodes, long long until) noexcept nogil
    @cython.locals(w=Py_ssize_t, part=Py_ssize_t, way=Py_ssize_t)
    cdef void close(
        self, unsigned long long[::1] nodes, Py_ssize_t record, long long now
    ) noexcept nogil
    cdef Py_ssize_t place_at(self, long long at) noexcept nogil
    @cython.locals(low=Py_ssize_t, rest=Py_ssize_t, half=Py_ssize_t)
    cdef Py_ssize_t place_from(self, Py_ssize_t first, long long at) noexcept nogil
    @cython.locals(place=Py_ssize_t, base=Py_ssize_t, row=Py_ssize_t, target=Py_ssize_t)
    cdef Py_ssize_t cut(self, long long at) noexcept nogil
    @cython.locals(first=Py_ssize_t)
    cdef Py_ssize_t block_after(self, Py_ssize_t place) noexcept nogil
    cdef Py_ssize_t _block_of(self, Py_ssize_t place) noexcept nogil
    @cython.locals(
        first=Py_ssize_t, end=Py_ssize_t, words=Py_ssize_t, middle=Py_ssize_t, here=Py_ssize_t,
        before=Py_ssize_t, i=Py_ssize_t,
    )
    cdef void _split(self, Py_ssize_t place) noexcept nogil
    @cython.locals(lent=Py_ssize_t)
    cdef void _bear(self, Py_ssize_t row, long long at) noexcept nogil
    cdef void _renew(self, Py_ssize_t row) noexcept nogil
    cdef void _more_rows(self) noexcept with gil
    @cython.locals(count=Py_ssize_t, offset=Py_ssize_t)
    cdef void book(self, Py_ssize_t part, long long start_at, long long end_at) noexcept nogil
    cdef bint is_change(self, Py_ssize_t place) noexcept nogil
    cdef inline bint _alters(self, Py_ssize_t place) noexcept nogil
    @cython.locals(place=Py_ssize_t, first=Py_ssize_t)
    cdef void begin_stretch(self, long long at) noexcept nogil
    @cython.locals(place=Py_ssize_t, merged=cython.bint, i=Py_ssize_t)
    cdef void _merge(self, Py_ssize_t first, Py_ssize_t end) noexcept nogil
    @cython.locals(row=Py_ssize_t, lent=Py_ssize_t, before=cython.longlong)
    cdef void lend(self, Py_ssize_t place, Py_ssize_t pool, long long amount) noexcept nogil
    cdef void book_nodes(
        self, unsigned long long[::1] nodes, Py_ssize_t offset, Py_ssize_t first,
        Py_ssize_t count, long long end_at
    ) noexcept nogil
    @cython.locals(first=Py_ssize_t, end=Py_ssize_t)
    cdef void _book(self, long long start_at, long long end_at) noexcept nogil
    @cython.locals(word=Py_ssize_t, count=Py_ssize_t)
    cdef inline void _add(
        self, unsigned long long[::1] target, Py_ssize_t first, Py_ssize_t end
    ) noexcept nogil
    @cython.locals(word=Py_ssize_t, count=Py_ssize_t, before=Py_ssize_t)
    cdef void _note_first(self, Py_ssize_t place) noexcept nogil
    @cython.locals(
        word=Py_ssize_t, count=Py_ssize_t, here=Py_ssize_t, field=Py_ssize_t, left=Py_ssize_t
    )
    cdef void _note_end(self, Py_ssize_t place) noexcept nogil
    @cython.locals(here=Py_ssize_t, before=Py_ssize_t)
    cdef bint _differs(self, Py_ssize_t place) noexcept nogil
    @cython.locals(
        here=Py_ssize_t, before=Py_ssize_t, field=Py_ssize_t, left=Py_ssize_t
    )
    cdef void _take_on(self, Py_ssize_t place) noexcept nogil
    @cython.locals(following=Py_ssize_t)
    cdef Py_ssize_t edge_after(self, Py_ssize_t place) noexcept nogil
    @cython.locals(
        word=Py_ssize_t, count=Py_ssize_t, offset=Py_ssize_t, place=Py_ssize_t, base=Py_ssize_t
    )
    cdef bint is_booked(self, Py_ssize_t part, long long since, long long until) noexcept nogil
    @cython.locals(place=Py_ssize_t, following=Py_ssize_t, left=Py_ssize_t)
    cdef bint leaves(
        self, Py_ssize_t kind, Py_ssize_t size, long long since, long long until
    ) noexcept nogil
    @cython.locals(word=Py_ssize_t, count=Py_ssize_t, base=Py_ssize_t)
    cdef Py_ssize_t _left(
        self, Py_ssize_t kind, unsigned long long[::1] booked, Py_ssize_t place
    ) noexcept nogil
    @cython.locals(
        words=Py_ssize_t, reservations=Py_ssize_t, place=Py_ssize_t, offset=Py_ssize_t,
        row=Py_ssize_t, opened=Py_ssize_t,
    )
    cdef long long clear_until(
        self, Py_ssize_t kind, Py_ssize_t part, long long until
    ) noexcept nogil
