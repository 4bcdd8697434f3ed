cimport cython
from predictor.engine.limits cimport Limits
from predictor.engine.queue cimport Queue


@cython.final
cdef class Delays:
    cdef readonly Queue queue
    cdef readonly Limits limits
    cdef readonly long long[::1] until
    cdef readonly long long told

    @cython.locals(group=Py_ssize_t)
    cdef void begin(self) noexcept nogil
    @cython.locals(group=cython.longlong)
    cdef void note(self, Py_ssize_t rule, long long until) noexcept nogil
    cdef long long until_of(self, Py_ssize_t record, bint follows) noexcept nogil
    @cython.locals(
        latest=cython.longlong, claim=Py_ssize_t, binding=Py_ssize_t, first=Py_ssize_t,
        i=Py_ssize_t,
    )
    cdef long long _latest(self, Py_ssize_t record) noexcept nogil
