cimport cython

from verification.experiments.course cimport Queued, Running
from verification.experiments.schedulers.lineup cimport Lineup
from verification.experiments.schedulers.outlook cimport Counted
from verification.experiments.schedulers.protocol cimport Scheduler
from verification.experiments.state cimport Shape


@cython.final
cdef class CountedEasy(Scheduler):
    cdef Lineup _queue
    cdef Counted _outlook
    cdef long long _new
    cdef bint _released

    @cython.locals(queue=Lineup, first="long long")
    cpdef dispatch(self, floor)

    @cython.locals(queue=Lineup, queued=Queued, head="long long")
    cdef Py_ssize_t _start_heads(self, floor) except -1

    @cython.locals(queue=Lineup, outlook=Counted, shape=Shape, window_s="long long")
    cdef void _let_pass(self, long long spot, floor) except *
