cimport cython

from verification.experiments.allocators.protocol cimport Allocator, first_filled
from verification.experiments.course cimport Queued


@cython.final
cdef class FirstFit(Allocator):
    cpdef place(self, Queued queued)
