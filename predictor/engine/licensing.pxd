cimport cython
from predictor.engine.layout cimport Layout
from predictor.engine.queue cimport Queue
from predictor.engine.timeline cimport Timeline


@cython.final
cdef class Licensing:
    cdef readonly Timeline timeline
    cdef readonly Layout layout

    @cython.locals(i=Py_ssize_t, pool=Py_ssize_t)
    cdef bint are_free(self, Py_ssize_t kind, Py_ssize_t row) noexcept nogil
    @cython.locals(kept=Py_ssize_t, i=Py_ssize_t, pool=Py_ssize_t, free=cython.longlong)
    cdef bint are_left(self, Py_ssize_t kind, Py_ssize_t row, Py_ssize_t era) noexcept nogil
    @cython.locals(
        row=Py_ssize_t, calendar=Py_ssize_t, e=Py_ssize_t, end=Py_ssize_t, lacks=cython.bint
    )
    cdef long long left_from(
        self, Py_ssize_t kind, long long at, long long length
    ) noexcept nogil
    @cython.locals(way=Py_ssize_t)
    cdef bint are_taken(self, Queue queue, Py_ssize_t part) noexcept nogil
    @cython.locals(
        way=Py_ssize_t, kind=Py_ssize_t, length=cython.longlong, free=cython.bint
    )
    cdef bint lack(
        self, Queue queue, Py_ssize_t part, long long now, long long longest_s, bint brief
    ) noexcept nogil
