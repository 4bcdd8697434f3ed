cimport cython
from predictor.engine cimport codes
from predictor.engine.groups cimport Groups
from predictor.engine.heap cimport Heap
from predictor.engine.held cimport Held
from predictor.engine.placer cimport Placer
from predictor.engine.queue cimport Queue


@cython.final
cdef class Overdue:
    cdef readonly Placer placer
    cdef readonly Queue queue
    cdef readonly Held held
    cdef readonly bint foreseen
    cdef readonly long long[::1] ends_at, due_at, grace_s, ahead_s

    @cython.locals(
        person=Py_ssize_t, ends_at=cython.longlong, parts=Py_ssize_t, words=Py_ssize_t,
        i=Py_ssize_t, until=cython.longlong,
    )
    cdef void begin(self, Py_ssize_t runner) noexcept nogil
    @cython.locals(planned_end_at=cython.longlong)
    cdef void note(self, Py_ssize_t part, Py_ssize_t job, long long ends_at) noexcept nogil
    cdef void lay(self, Py_ssize_t part, long long ends_at, bint take) noexcept nogil
    @cython.locals(record=Py_ssize_t, part=Py_ssize_t)
    cdef void show(self, Py_ssize_t person, long long now) noexcept nogil
    cdef bint lingers(self, Py_ssize_t runner, long long now) noexcept nogil
    @cython.locals(
        due_at=cython.longlong, ends_at=cython.longlong, until=cython.longlong,
        parts=Py_ssize_t, words=Py_ssize_t, i=Py_ssize_t,
    )
    cdef void _show_runner(self, Py_ssize_t runner, long long now) noexcept nogil
    @cython.locals(latest=cython.longlong, i=Py_ssize_t)
    cdef long long _planned_end(self, Py_ssize_t runner) noexcept nogil
