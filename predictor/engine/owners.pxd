cimport cython
from predictor.engine cimport sets
from predictor.engine.clearing cimport Clearing
from predictor.engine.layout cimport Layout
from predictor.engine.timeline cimport Timeline


@cython.final
cdef class Owners:
    cdef readonly Clearing clearing
    cdef readonly Timeline timeline
    cdef readonly Layout layout
    cdef readonly Py_ssize_t words
    cdef readonly bint stay
    cdef readonly unsigned long long[::1] found

    @cython.locals(
        slot=Py_ssize_t, one=cython.ulonglong, word=cython.ulonglong, w=Py_ssize_t,
        place=Py_ssize_t, node=Py_ssize_t, user=cython.longlong, owns=cython.bint,
        kept_off=cython.bint,
    )
    cdef void find_welcoming(self, Py_ssize_t shape, long long at) noexcept nogil
    @cython.locals(members=Py_ssize_t)
    cdef void find_open(self, Py_ssize_t kind, long long at) noexcept nogil
