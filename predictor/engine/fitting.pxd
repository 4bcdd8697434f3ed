cimport cython
from predictor.engine.groups cimport Groups
from predictor.engine.layout cimport Layout
from predictor.engine.placer cimport Placer
from predictor.engine.queue cimport Queue
from predictor.engine.ties cimport Ties


@cython.final
cdef class Fitting:
    cdef readonly Placer placer
    cdef readonly Ties ties
    cdef readonly Groups groups
    cdef readonly Layout layout
    cdef readonly Queue queue
    cdef readonly long long most

    @cython.locals(way=Py_ssize_t)
    cdef void see(self, Py_ssize_t record, long long now) noexcept nogil
    @cython.locals(may_not=cython.bint)
    cdef bint matters(self, Py_ssize_t kind) noexcept nogil
    @cython.locals(behind=cython.longlong, soonest=cython.longlong, ends=cython.bint)
    cdef long long ended_at(
        self, Py_ssize_t part, Py_ssize_t way, Py_ssize_t kind, long long ended_at,
        long long found_at, long long looked_from,
    ) noexcept nogil
    cdef bint _will_do(
        self, Py_ssize_t part, Py_ssize_t way, Py_ssize_t kind, long long ended_at,
        long long found_at, bint ends,
    ) noexcept nogil
