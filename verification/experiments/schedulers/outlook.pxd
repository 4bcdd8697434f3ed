cimport cython

from verification.experiments.course cimport Queued, Running
from verification.traces.releases cimport Releases


@cython.final
cdef class Counted:
    cdef readonly long long shadow_s
    cdef readonly long long extra
    cdef Releases _releases

    cpdef void started(self, Running running) except *
    cpdef void ended(self, Running running) except *
    cpdef void expects(self, Running running, long long before_s) except *

    @cython.locals(wanted="long long")
    cpdef void reserve(self, Queued head, floor) except *

    cpdef void start(self, Queued queued, floor) except *
