cimport cython
from predictor.engine cimport sets
from predictor.engine.limits cimport Limits
from predictor.engine.placer cimport Placer
from predictor.engine.queue cimport Queue


@cython.final
cdef class Together:
    cdef readonly Placer placer
    cdef readonly Queue queue
    cdef readonly Py_ssize_t words, count
    cdef readonly long long never
    cdef readonly long long[::1] records, noted, start_at
    cdef readonly unsigned long long[::1] closed

    @cython.locals(i=Py_ssize_t, record=Py_ssize_t, part=Py_ssize_t)
    cdef void begin(self) noexcept nogil
    @cython.locals(
        whole=Py_ssize_t, own=Py_ssize_t, part=Py_ssize_t, latest=cython.longlong,
    )
    cdef long long since(self, Py_ssize_t record) noexcept nogil
    cdef bint is_hopeless(self, Py_ssize_t record, long long until) noexcept nogil
    @cython.locals(own=Py_ssize_t)
    cdef void note(self, Py_ssize_t record, long long start) noexcept nogil
    @cython.locals(i=Py_ssize_t, record=Py_ssize_t)
    cdef void start(self, long long now) noexcept nogil
    @cython.locals(part=Py_ssize_t)
    cdef bint _is_due(self, Py_ssize_t record, long long now) noexcept nogil
    @cython.locals(part=Py_ssize_t)
    cdef bint _fits(self, Py_ssize_t record, long long now) noexcept nogil
    @cython.locals(
        job=Py_ssize_t, allowed=cython.bint, part=Py_ssize_t, claim=Py_ssize_t,
    )
    cdef bint _may(self, Py_ssize_t record, long long now) noexcept nogil
