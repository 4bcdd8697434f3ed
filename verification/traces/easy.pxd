cimport cython

from predictor.engine.heap cimport Heap
from verification.traces.releases cimport Releases
from verification.traces.waiting cimport Waiting


@cython.final
cdef class Easy:
    cdef long long jobs
    cdef const long long[::1] submits
    cdef const long long[::1] runs
    cdef const long long[::1] procs
    cdef const long long[::1] limits
    cdef long long free
    cdef long long[::1] starts
    cdef long long[::1] waits
    cdef long long[::1] ended
    cdef Heap ends
    cdef Releases releases
    cdef Waiting waiting
    cdef long long head
    cdef long long submitted
    cdef long long started
    cdef long long ended_count
    cdef long long now
    cdef long long shadow_at
    cdef long long extra
    cdef bint dirty
    cdef bint backfill
    cdef bint spare

    cpdef replay(self, bint backfill, bint spare, bint per_event)
    cdef void _advance(self) noexcept

    @cython.locals(index="long long")
    cdef int _instant(self) except -1

    @cython.locals(index="long long")
    cdef int _instant_by_events(self) except -1

    cdef bint _ends_on_time(self, long long job) noexcept
    cdef bint _submits_now(self) noexcept
    cdef void _release(self, long long job) noexcept

    @cython.locals(job="long long")
    cdef int _submit(self) except -1

    cdef int _schedule(self) except -1
    cdef int _start_heads(self) except -1

    @cython.locals(wanted="long long")
    cdef void _reserve(self) noexcept

    @cython.locals(job="long long")
    cdef int _let_pass(self) except -1

    cdef long long _next_to_pass(self, long long job) noexcept

    cdef bint _may_pass(self, long long job) noexcept
    cdef int _pass(self, long long job) except -1
    cdef int _start(self, long long job) except -1
