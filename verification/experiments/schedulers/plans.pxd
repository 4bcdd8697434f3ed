cimport cython

from verification.experiments.course cimport Queued, Running
from verification.traces.profile cimport Profile


@cython.final
cdef class Reserved:
    cdef readonly Queued queued
    cdef public long long start_s
    cdef public object places
    cdef public long long ticket


@cython.final
cdef class CountedPlan:
    cdef Profile _profile

    cpdef void forget_before(self, long long now_s) except *

    @cython.locals(units="long long", lasts_s="long long")
    cpdef void reserve(self, Reserved reserved, floor) except *

    @cython.locals(units="long long", lasts_s="long long", start_s="long long")
    cpdef bint moves(self, Reserved reserved, floor) except *

    cpdef void release(self, Running running, long long since_s, long long until_s) except *

    cpdef void hold(self, Running running, long long since_s) except *

    cpdef void keep(self, Reserved reserved) except *
