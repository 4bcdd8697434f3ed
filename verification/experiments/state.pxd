cimport cython


@cython.final
cdef class Shape:
    cdef public object need
    cdef public long long cores
    cdef public list fits
    cdef public list levels
    cdef public object open
    cdef public long long total
    cdef public long long largest
    cdef public long long most
    cdef public long long users


@cython.final
cdef class State:
    cdef public object machine
    cdef public list capacity
    cdef public list free
    cdef public dict shapes
    cdef public long long busy_cores
    cdef public long long opened_cores

    cpdef Shape shape(self, need)

    @cython.locals(free=list, whole=list, node="Py_ssize_t", units="long long", cores="long long")
    cpdef take(self, Shape shape, places)

    @cython.locals(free=list, whole=list, node="Py_ssize_t", units="long long", cores="long long")
    cpdef give(self, Shape shape, places)

    @cython.locals(free=list, node="Py_ssize_t", other=Shape)
    cdef void _others(self, Shape shape, places, int sign) except *


@cython.locals(before="Py_ssize_t")
cdef void _set(Shape shape, Py_ssize_t node, Py_ssize_t fits) except *

cdef object _bit(object node)

cpdef fit(need, free, node)
