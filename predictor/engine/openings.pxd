cimport cython
from predictor.engine cimport codes, sets
from predictor.engine.bookings cimport Bookings
from predictor.engine.fences cimport Fences
from predictor.engine.layout cimport Layout
from predictor.engine.lending cimport Lending
from predictor.engine.licensing cimport Licensing
from predictor.engine.refusals cimport Refusals
from predictor.engine.sight cimport Sight
from predictor.engine.timeline cimport Timeline


@cython.final
cdef class Openings:
    cdef readonly Timeline timeline
    cdef readonly Layout layout
    cdef readonly Lending lending
    cdef readonly Bookings bookings
    cdef readonly Fences fences
    cdef readonly Licensing licensing
    cdef readonly Sight sight
    cdef readonly Refusals refusals, closed
    cdef readonly Py_ssize_t words, left, place, following
    cdef readonly Py_ssize_t first_word, word_count, nodes_at, room_at
    cdef readonly long long left_s, left_at
    cdef readonly bint whole, thorough, met
    cdef readonly unsigned long long[::1] free

    cdef long long first(
        self, Py_ssize_t kind, Py_ssize_t size, long long length, long long now, long long until
    ) noexcept nogil
    cdef inline long long _following_at(self) noexcept nogil
    cdef Py_ssize_t _following_place(self) noexcept nogil
    @cython.locals(place=Py_ssize_t, at=cython.longlong)
    cdef long long following_one(
        self, Py_ssize_t kind, Py_ssize_t size, long long length, long long until
    ) noexcept nogil
    cdef long long after(
        self, Py_ssize_t kind, Py_ssize_t size, long long length, long long at, long long until
    ) noexcept nogil
    @cython.locals(
        whole=cython.bint, row=Py_ssize_t, open_until=cython.longlong, verdict=Py_ssize_t,
        free_at=cython.longlong,
    )
    cdef long long _try_from(
        self, Py_ssize_t place, long long at, Py_ssize_t kind, Py_ssize_t size, long long length,
        long long until,
    ) noexcept nogil
    @cython.locals(
        open_at=cython.longlong, kept_until=cython.longlong, left_at=cython.longlong,
        licensed_at=cython.longlong,
    )
    cdef inline long long _put_off_until(
        self, Py_ssize_t kind, Py_ssize_t size, long long at, long long length
    ) noexcept nogil
    cdef long long later(self, Py_ssize_t kind) noexcept nogil
    @cython.locals(era=Py_ssize_t, row=Py_ssize_t)
    cdef bint _is_over(self, Py_ssize_t kind) noexcept nogil
    cdef Py_ssize_t last_slot(self, Py_ssize_t kind) noexcept nogil
    @cython.locals(verdict=Py_ssize_t)
    cdef bint is_open(
        self, Py_ssize_t kind, Py_ssize_t size, long long length, long long now
    ) noexcept nogil
    @cython.locals(
        until=cython.longlong, place=Py_ssize_t, end=Py_ssize_t
    )
    cdef Py_ssize_t _try(
        self, Py_ssize_t kind, Py_ssize_t size, long long at, long long length,
        Py_ssize_t roomy,
    ) noexcept nogil
    @cython.locals(first=Py_ssize_t, room=Py_ssize_t)
    cdef inline void _turn_to(self, Py_ssize_t kind, Py_ssize_t roomy) noexcept nogil
    @cython.locals(following=Py_ssize_t, i=Py_ssize_t)
    cdef Py_ssize_t _narrow(self, Py_ssize_t place, Py_ssize_t end) noexcept nogil
    @cython.locals(first=Py_ssize_t, row=Py_ssize_t, count=Py_ssize_t, room=Py_ssize_t)
    cdef inline void _narrow_by(
        self, unsigned long long[::1] booked, Py_ssize_t place
    ) noexcept nogil
    @cython.locals(first=Py_ssize_t, end=Py_ssize_t, own=Py_ssize_t, at=cython.longlong)
    cdef void _leave_open(self, Py_ssize_t kind, long long until) noexcept nogil
    cdef void leave_untaken(self, Py_ssize_t kind, long long until) noexcept nogil
    cdef void leave_untaken_from(
        self, Py_ssize_t place, Py_ssize_t kind, long long until
    ) noexcept nogil
    @cython.locals(first=Py_ssize_t, count=Py_ssize_t, place=Py_ssize_t, row=Py_ssize_t)
    cdef void _count_roomless(self, long long until) noexcept nogil
    @cython.locals(first=Py_ssize_t, count=Py_ssize_t, room=Py_ssize_t)
    cdef void open_nodes(self, unsigned long long[::1] nodes, Py_ssize_t kind) noexcept nogil
