cimport cython
from predictor.engine.openings cimport Openings
from predictor.engine.placer cimport Placer
from predictor.engine.queue cimport Queue


@cython.final
cdef class Chances:
    cdef readonly Placer placer
    cdef readonly Openings openings
    cdef readonly Queue queue
    cdef readonly bint exact_slots

    cdef void begin(self, long long now) noexcept nogil
    cdef Py_ssize_t end(self, Py_ssize_t end, long long now) noexcept nogil
    @cython.locals(part=Py_ssize_t, way=Py_ssize_t, kind=Py_ssize_t, length=cython.longlong)
    cdef bint _is_awaited(self, Py_ssize_t record, long long now) noexcept nogil
    @cython.locals(part=Py_ssize_t, roomy=cython.bint, way=Py_ssize_t)
    cdef bint _has_room(self, Py_ssize_t record) noexcept nogil
