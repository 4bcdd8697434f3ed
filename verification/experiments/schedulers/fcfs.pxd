cimport cython

from verification.experiments.schedulers.protocol cimport Scheduler


@cython.final
cdef class Fcfs(Scheduler):
    cdef object _queue
