cimport cython
from predictor.engine cimport sets
from predictor.engine.announcements cimport Announcements
from predictor.engine.given cimport Given
from predictor.engine.layout cimport Layout
from predictor.engine.placer cimport Placer
from predictor.engine.queue cimport Queue
from predictor.engine.slots cimport Slots


@cython.final
cdef class Turns:
    cdef readonly Placer placer
    cdef readonly Given given
    cdef readonly Layout layout
    cdef readonly Slots slots
    cdef readonly Announcements announced
    cdef readonly Queue queue
    cdef readonly Py_ssize_t words, place, lead
    cdef readonly unsigned long long[::1] nodes

    cdef void turn_to(self, Py_ssize_t place, bint follows) noexcept nogil
    cdef void note_slot(self) noexcept nogil
    @cython.locals(first=Py_ssize_t, place=Py_ssize_t, part=Py_ssize_t, one=Py_ssize_t)
    cdef Py_ssize_t first(self, Py_ssize_t record, long long now) noexcept nogil
    @cython.locals(start=Py_ssize_t, away=Py_ssize_t, part=Py_ssize_t)
    cdef void _exchange(self, Py_ssize_t one, Py_ssize_t other) noexcept nogil
    @cython.locals(
        start=Py_ssize_t, end=Py_ssize_t, away=Py_ssize_t, part=Py_ssize_t, way=Py_ssize_t,
        last=Py_ssize_t, other_way=Py_ssize_t,
    )
    cdef bint _are_alike(self, Py_ssize_t one, Py_ssize_t other) noexcept nogil
    @cython.locals(equal=cython.bint)
    cdef bint _are_ways_alike(self, Py_ssize_t one, Py_ssize_t other) noexcept nogil
    @cython.locals(here=Py_ssize_t, there=Py_ssize_t, away=Py_ssize_t)
    cdef void _exchange_parts(self, Py_ssize_t one, Py_ssize_t other) noexcept nogil
    @cython.locals(kept=cython.longlong)
    cdef void _swap(self, long long[::1] values, Py_ssize_t one, Py_ssize_t other) noexcept nogil
