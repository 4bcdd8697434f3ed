cimport cython
from predictor.engine.layout cimport Layout
from predictor.engine.limits cimport Limits


@cython.final
cdef class Leaning:
    cdef readonly Layout layout
    cdef readonly Limits limits
    cdef readonly Py_ssize_t words
    cdef readonly unsigned long long ones
    cdef readonly bint matters, leans
    cdef readonly unsigned long long[::1] heavy, breaks, used

    @cython.locals(
        w=Py_ssize_t, elsewhere=cython.bint, word=cython.ulonglong,
        carry=cython.ulonglong,
    )
    cdef void turn_to(
        self, long long claim, unsigned long long[::1] nodes, Py_ssize_t offset
    ) noexcept nogil
    @cython.locals(w=Py_ssize_t)
    cdef long long burden(self, Py_ssize_t node) noexcept nogil
