cimport cython


@cython.final
cdef class Calls:
    cdef readonly long long period_s, turns_apart_s, pause_s
    cdef readonly long long regular_at, rested_at, turn_at
    cdef readonly bint is_called, looks_at_all, waits, bounded, owes

    cdef void see(self, long long now) noexcept nogil
    cdef void call(self) noexcept nogil
    cdef void queue(self) noexcept nogil
    cdef void end(self, bint waits) noexcept nogil
    cdef void forget(self, long long now) noexcept nogil
    cdef void owe(self) noexcept nogil
    cdef bint is_due(self, long long now, bint stirred) noexcept nogil
    cdef bint is_regular(self) noexcept nogil
    cdef void note(self, long long now) noexcept nogil
    @cython.locals(served_at=cython.longlong)
    cdef long long next_at(self, bint stirred) noexcept nogil
    cdef long long _served_at(self) noexcept nogil
    cdef void _take_turn(self, long long now) noexcept nogil
    cdef void _serve(self, long long at) noexcept nogil
