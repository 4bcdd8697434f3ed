cimport cython
from predictor.engine cimport codes
from predictor.engine.bookings cimport Bookings
from predictor.engine.chances cimport Chances
from predictor.engine.groups cimport Groups
from predictor.engine.held cimport Held
from predictor.engine.layout cimport Layout
from predictor.engine.lending cimport Lending
from predictor.engine.placer cimport Placer
from predictor.engine.queue cimport Queue


@cython.final
cdef class Slots:
    cdef readonly Placer placer
    cdef readonly Held held
    cdef readonly Groups groups
    cdef readonly Queue queue
    cdef readonly Layout layout
    cdef readonly Lending lending
    cdef readonly Bookings bookings
    cdef readonly Chances chances
    cdef readonly bint exact, rounds_up, stretches, one_only
    cdef readonly long long step_s, protected_max, min_age_s, entries_max
    cdef readonly Py_ssize_t count
    cdef readonly long long[::1] records, has_one, protected

    cdef bint is_only_for_now(self, Py_ssize_t record, long long now) noexcept nogil
    @cython.locals(job=Py_ssize_t, partition=Py_ssize_t)
    cdef bint is_denied(self, Py_ssize_t record) noexcept nogil
    @cython.locals(part=Py_ssize_t, kind=Py_ssize_t)
    cdef void give(self, Py_ssize_t record) noexcept nogil
    @cython.locals(i=Py_ssize_t)
    cdef void hand_over(self, Py_ssize_t record, Py_ssize_t other) noexcept nogil
    @cython.locals(
        part=Py_ssize_t, kind=Py_ssize_t, end_at=cython.longlong, whole=cython.bint
    )
    cdef void keep(self, Py_ssize_t record, long long now, bint nodes_too) noexcept nogil
    cdef void _give_back(self, Py_ssize_t kind, long long at, bint whole) noexcept nogil
    @cython.locals(
        first=Py_ssize_t, least=cython.longlong, i=Py_ssize_t, holding=Py_ssize_t, word=Py_ssize_t,
        whole=cython.bint, kind=Py_ssize_t, end_at=cython.longlong, offset=Py_ssize_t,
    )
    cdef void keep_running(self, long long now, bint nodes_too) noexcept nogil
    cdef Py_ssize_t _kind(self, Py_ssize_t part) noexcept nogil
    @cython.locals(i=Py_ssize_t, record=Py_ssize_t, part=Py_ssize_t)
    cdef void drop(self) noexcept nogil
    @cython.locals(
        part=Py_ssize_t, kind=Py_ssize_t, least=cython.longlong, longest=cython.longlong,
        end_at=cython.longlong,
    )
    cdef void stretch(self, Py_ssize_t record, long long now) noexcept nogil
    cdef long long _start(self, Py_ssize_t part) noexcept nogil
    @cython.locals(end_at=cython.longlong)
    cdef long long _end(self, Py_ssize_t part) noexcept nogil
    cdef long long full_steps(self, long long end_at) noexcept nogil
