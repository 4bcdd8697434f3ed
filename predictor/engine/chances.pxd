cimport cython
from predictor.engine cimport sets
from predictor.engine.openings cimport Openings
from predictor.engine.placer cimport Placer
from predictor.engine.queue cimport Queue


@cython.final
cdef class Chances:
    cdef readonly Placer placer
    cdef readonly Openings openings
    cdef readonly Queue queue
    cdef readonly bint exact_slots
    cdef readonly Py_ssize_t sure, kind
    cdef readonly unsigned long long[::1] nodes

    cdef void begin(self, long long now) noexcept nogil
    cdef void note_start(self) noexcept nogil
    @cython.locals(first=Py_ssize_t, count=Py_ssize_t, offset=Py_ssize_t)
    cdef void note_slot(self, Py_ssize_t part) noexcept nogil
    cdef Py_ssize_t end(self, Py_ssize_t end, long long now) noexcept nogil
    @cython.locals(
        part=Py_ssize_t, way=Py_ssize_t, kind=Py_ssize_t, length=cython.longlong,
        needed=Py_ssize_t,
    )
    cdef bint _is_awaited(self, Py_ssize_t record, long long now) noexcept nogil
    @cython.locals(part=Py_ssize_t, roomy=cython.bint, way=Py_ssize_t)
    cdef bint _has_room(self, Py_ssize_t record) noexcept nogil
