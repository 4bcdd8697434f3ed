cimport cython
from predictor.engine cimport bits, sets
from predictor.engine.groups cimport Groups
from predictor.engine.layout cimport Layout
from predictor.engine.owners cimport Owners
from predictor.engine.timeline cimport Timeline


@cython.final
cdef class Leaving:
    cdef readonly Owners owners
    cdef readonly Groups groups
    cdef readonly Timeline timeline
    cdef readonly Layout layout
    cdef readonly Py_ssize_t words
    cdef readonly bint counts
    cdef readonly long long now, changed
    cdef readonly long long[::1] left_at, told_at
    cdef readonly unsigned long long[::1] welcoming, hidden

    @cython.locals(
        node=Py_ssize_t, i=Py_ssize_t, offset=Py_ssize_t, first=Py_ssize_t, w=Py_ssize_t,
        word=cython.ulonglong,
    )
    cdef void begin(self, long long now) noexcept nogil
    @cython.locals(
        shape=Py_ssize_t, own=Py_ssize_t, found=Py_ssize_t, spare=Py_ssize_t, count=Py_ssize_t,
        until=cython.longlong,
    )
    cdef long long waits_until(
        self, Py_ssize_t kind, Py_ssize_t size, long long at, long long end_at
    ) noexcept nogil
    @cython.locals(
        first=cython.longlong, w=Py_ssize_t, word=cython.ulonglong, left_at=cython.longlong
    )
    cdef long long first_left_at(self) noexcept nogil
    cdef void hide(self, unsigned long long[::1] nodes) noexcept nogil
    @cython.locals(
        count=Py_ssize_t, w=Py_ssize_t, word=cython.ulonglong, rest=cython.ulonglong
    )
    cdef Py_ssize_t _keep_later(self, long long at) noexcept nogil
    cdef void _learn(self, Py_ssize_t shape) noexcept nogil
