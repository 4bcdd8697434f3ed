cimport cython

from predictor.engine cimport bits
from verification.experiments.state cimport Shape


cdef Py_ssize_t WORD_BITS


cdef class Allocator:
    pass


@cython.locals(places=list, node="Py_ssize_t", fits="long long")
cpdef list filled(nodes, Shape shape, long long units)

@cython.locals(
    places=list, begin="Py_ssize_t", word="unsigned long long", node="Py_ssize_t",
    fits="long long",
)
cpdef list first_filled(nodes, Shape shape, long long units)
