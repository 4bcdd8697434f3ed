cimport cython
from predictor.engine cimport bits
from predictor.engine.layout cimport Layout


@cython.final
cdef class Runs:
    cdef readonly Layout layout
    cdef readonly Py_ssize_t words, count, first, length
    cdef readonly unsigned long long ones
    cdef readonly unsigned long long[::1] nodes
    cdef readonly long long[::1] firsts, lengths

    @cython.locals(
        w=Py_ssize_t, passed=Py_ssize_t, word=cython.ulonglong, ends=cython.ulonglong,
        low=Py_ssize_t, behind=cython.ulonglong, length=Py_ssize_t,
    )
    cdef void find(self, Py_ssize_t kind, Py_ssize_t wanted) noexcept nogil
    @cython.locals(behind=cython.ulonglong)
    cdef inline Py_ssize_t _passed(self, Py_ssize_t w) noexcept nogil
    @cython.locals(
        most=cython.longlong, best=Py_ssize_t, best_merit=cython.longlong, run=Py_ssize_t,
        length=cython.longlong, merit=cython.longlong,
    )
    cdef void choose(self, Py_ssize_t wanted) noexcept nogil
