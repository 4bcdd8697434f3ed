cimport cython

from verification.experiments.course cimport Running
from verification.experiments.schedulers.plans cimport Reserved
from verification.experiments.schedulers.protocol cimport Scheduler


@cython.final
cdef class Conservative(Scheduler):
    cdef object _machine
    cdef object _plan
    cdef long long _room
    cdef list _new
    cdef list _waiting
    cdef long long _next_s
    cdef long long _tickets
    cdef bint _ended
    cdef bint _released
    cdef bint _broken

    cpdef dispatch(self, floor)

    @cython.locals(now_s="long long", reserved=Reserved)
    cdef void _move_up(self, plan, floor) except *

    cdef void _reserve(self, plan, Reserved reserved, floor) except *

    cdef void _ticket(self, Reserved reserved) except *

    cdef void _release(self, Running running, long long since_s, long long until_s) except *
