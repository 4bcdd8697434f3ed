cimport cython
from predictor.engine cimport bits, sets
from predictor.engine.gathering cimport Gathering
from predictor.engine.layout cimport Layout
from predictor.engine.leaning cimport Leaning
from predictor.engine.tree cimport Tree


@cython.final
cdef class Branches:
    cdef readonly Gathering gathering
    cdef readonly Tree tree
    cdef readonly Leaning leaning
    cdef readonly Layout layout
    cdef readonly Py_ssize_t words
    cdef readonly unsigned long long[::1] left
    cdef readonly bint counts_cpus
    cdef public Py_ssize_t leaves_most

    @cython.locals(found=cython.bint)
    cdef bint gather(self) noexcept nogil
    cdef bint _lies_apart(self) noexcept nogil
    @cython.locals(leaf=Py_ssize_t, wanted=cython.longlong)
    cdef bint _gather(self) noexcept nogil
    cdef Py_ssize_t _next_leaf(self) noexcept nogil
    @cython.locals(w=Py_ssize_t, word=cython.ulonglong, node=Py_ssize_t)
    cdef void _tell_cpus(self) noexcept nogil
    @cython.locals(found=Py_ssize_t, w=Py_ssize_t)
    cdef void _take_lighter(self) noexcept nogil
    @cython.locals(
        cpus=cython.longlong, pieces=cython.longlong, w=Py_ssize_t, word=cython.ulonglong,
        node=Py_ssize_t, needed=cython.longlong,
    )
    cdef bint _suffices(self, Py_ssize_t found) noexcept nogil
    @cython.locals(w=Py_ssize_t, on_leaf=cython.ulonglong)
    cdef void _take_of(self, Py_ssize_t leaf) noexcept nogil
