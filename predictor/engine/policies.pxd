cimport cython
from predictor.engine.forward cimport Forward
from predictor.engine.policy cimport PolicyPass
from predictor.engine.queue cimport Queue


@cython.final
cdef class Policies:
    cdef readonly Forward forward
    cdef readonly Queue queue
    cdef readonly PolicyPass policy
    cdef readonly long long every_s, begun_at
    cdef readonly bint due

    @cython.locals(following=cython.longlong)
    cdef void run(self, long long until, long long looks_max) noexcept nogil
    cdef bint _is_beat(self) noexcept nogil
    @cython.locals(again=cython.bint, logged=Py_ssize_t)
    cdef void _pass(self) noexcept nogil
    @cython.locals(
        now=cython.longlong, following=cython.longlong, edge_at=cython.longlong,
        beats=cython.longlong,
    )
    cdef long long _next(self) noexcept nogil
    cdef long long _sooner(self, long long one, long long other) noexcept nogil
