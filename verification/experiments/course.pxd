cimport cython

from verification.experiments.state cimport Shape


@cython.final
cdef class Queued:
    cdef readonly long long rank
    cdef readonly object job
    cdef readonly Shape shape
    cdef readonly long long units
    cdef readonly long long planned_s


@cython.final
cdef class Running:
    cdef readonly Queued queued
    cdef readonly long long start_s
    cdef readonly object places
    cdef public long long planned_s
    cdef public long long end_s
    cdef public long long expected_end_s
    cdef public double speed
    cdef public double done_s
    cdef public long long since_s
