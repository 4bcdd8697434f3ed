cimport cython

from predictor.engine.heap cimport Heap
from verification.experiments.course cimport Queued, Running
from verification.experiments.state cimport Shape, State


@cython.final
cdef class Loop:
    cdef public long long now_s
    cdef public State state
    cdef public object rate
    cdef public object company
    cdef object _scheduler
    cdef object _allocator
    cdef object _durations
    cdef object _watcher
    cdef object _cpu
    cdef dict _running
    cdef Heap _due
    cdef list _changed
    cdef list _new
    cdef long long _rank
    cdef long long _serial
    cdef long long _wanted_cores

    @cython.locals(due=Heap, now="long long", rank="long long")
    cpdef run(self, jobs)

    cpdef bint fits(self, Queued queued)

    cpdef places(self, Queued queued)

    @cython.locals(running=Running)
    cpdef Running start(self, Queued queued, places=*)

    @cython.locals(rank="long long", shape=Shape, queued=Queued)
    cdef void _submit(self, job) except *

    @cython.locals(queued=Queued)
    cdef void _dispatch(self) except *

    @cython.locals(now="long long", running=Running, before="long long", done="double")
    cdef void _happens(self, long long rank) except *

    cdef void _end(self, Running running) except *

    @cython.locals(at="long long")
    cdef void _expect(self, Running running) except *

    cdef void _rescale(self) except *

    @cython.locals(now="long long", before="long long")
    cdef void _at_speed(self, Running running, double speed) except *


cdef double _done_s(Running running, long long now) except? -1
