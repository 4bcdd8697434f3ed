cimport cython
from predictor.engine cimport sets
from predictor.engine.layout cimport Layout
from predictor.engine.timeline cimport Timeline


@cython.final
cdef class Fences:
    cdef readonly Timeline timeline
    cdef readonly Layout layout
    cdef readonly Py_ssize_t words
    cdef readonly bint met_before

    cdef bint are_met(self, Py_ssize_t kind, long long at, long long end_at) noexcept nogil
    @cython.locals(calendar=Py_ssize_t, e=Py_ssize_t, end=Py_ssize_t, is_shut=cython.bint)
    cdef long long past_maintenance(
        self, Py_ssize_t kind, long long at, long long length
    ) noexcept nogil
    @cython.locals(calendar=Py_ssize_t, e=Py_ssize_t, end=Py_ssize_t)
    cdef bint _are_met(
        self, Py_ssize_t kind, long long at, long long end_at, bint early
    ) noexcept nogil
    @cython.locals(members=Py_ssize_t, row=Py_ssize_t)
    cdef bint _keeps(self, Py_ssize_t kind, Py_ssize_t era, bint early) noexcept nogil
