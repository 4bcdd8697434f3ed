cimport cython

from verification.experiments.course cimport Running
from verification.experiments.state cimport State


@cython.final
cdef class Tally:
    cdef public object written
    cdef public long long cores
    cdef public object complaints
    cdef public object waits
    cdef public object levels
    cdef public long long too_large
    cdef public long long rejected
    cdef tuple _now
    cdef dict _asked
    cdef object _decided
    cdef object _hash

    @cython.locals(asked=list)
    cpdef dispatched(self, waiting, cpu_ns)

    @cython.locals(busy="long long", lost="long long")
    cpdef settled(self, long long now_s, long long waiting, long long wanted_cores, State state)

    @cython.locals(start_s="long long", end_s="long long")
    cpdef ended(self, long long rank, Running running)
