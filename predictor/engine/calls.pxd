cimport cython


@cython.final
cdef class Calls:
    cdef readonly long long period_s, submissions_apart_s, pause_s
    cdef readonly long long regular_at, called_at, rested_at, turn_at
    cdef readonly bint regular_waits, submitted

    cdef void see(self, long long now) noexcept nogil
    cdef void call(self, long long at) noexcept nogil
    cdef void submit(self) noexcept nogil
    cdef void forget(self, long long now) noexcept nogil
    cdef bint is_due(self, long long now) noexcept nogil
    cdef bint is_regular(self, long long now) noexcept nogil
    cdef void note(self, long long now) noexcept nogil
    cdef long long next_at(self) noexcept nogil
