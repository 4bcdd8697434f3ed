cimport cython
from predictor.engine cimport sets
from predictor.engine.bookings cimport Bookings
from predictor.engine.fences cimport Fences
from predictor.engine.layout cimport Layout
from predictor.engine.licensing cimport Licensing
from predictor.engine.openings cimport Openings
from predictor.engine.placer cimport Placer
from predictor.engine.queue cimport Queue
from predictor.engine.refusals cimport Refusals
from predictor.engine.sight cimport Sight
from predictor.engine.slots cimport Slots


@cython.final
cdef class Trials:
    cdef readonly Placer placer
    cdef readonly Queue queue
    cdef readonly Layout layout
    cdef readonly Licensing licensing
    cdef readonly Slots slots
    cdef readonly Openings openings
    cdef readonly Bookings bookings
    cdef readonly Fences fences
    cdef readonly Refusals refusals
    cdef readonly Sight sight
    cdef readonly bint exact_slots, licenses_planned
    cdef readonly long long window_s, most, count, sought_at
    cdef readonly bint is_close, may_wait

    cdef void begin(self) noexcept nogil
    cdef bint are_over(self) noexcept nogil
    @cython.locals(own=Py_ssize_t, calendar=Py_ssize_t)
    cdef bint lack_licenses(self, Py_ssize_t part, long long now) noexcept nogil
    cdef void turn_to(self, Py_ssize_t record, long long now, Py_ssize_t rest) noexcept nogil
    cdef void note(self, Py_ssize_t kind, Py_ssize_t size, long long at) noexcept nogil
    @cython.locals(sought=cython.bint)
    cdef void see(self, Py_ssize_t record, long long now) noexcept nogil
    @cython.locals(
        part=Py_ssize_t, until=cython.longlong, way=Py_ssize_t, kind=Py_ssize_t,
        length=cython.longlong, asked=Py_ssize_t,
    )
    cdef bint _are_left(self, Py_ssize_t record, long long now) noexcept nogil
    @cython.locals(place=Py_ssize_t, at=cython.longlong, met=cython.bint)
    cdef bint _are_left_of(
        self, Py_ssize_t kind, Py_ssize_t asked, long long length, long long now, long long until
    ) noexcept nogil
    @cython.locals(nodes="unsigned long long[::1]")
    cdef Py_ssize_t _found(self) noexcept nogil
