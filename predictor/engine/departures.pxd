cimport cython
from predictor.engine.held cimport Held
from predictor.engine.layout cimport Layout
from predictor.engine.placer cimport Placer
from predictor.engine.queue cimport Queue
from predictor.engine.victims cimport Victims


@cython.final
cdef class Departures:
    cdef readonly Placer placer
    cdef readonly Held held
    cdef readonly Queue queue
    cdef readonly Layout layout
    cdef readonly Victims victims
    cdef readonly long long[::1] sent_back
    cdef readonly bint ends_wait

    cdef bint is_uncleared(self, Py_ssize_t person) noexcept nogil
    cdef bint waits(self, Py_ssize_t person) noexcept nogil
    @cython.locals(record=Py_ssize_t, part=Py_ssize_t, runner=Py_ssize_t, i=Py_ssize_t)
    cdef bint _is_killed(self, Py_ssize_t person) noexcept nogil
    @cython.locals(runner=Py_ssize_t)
    cdef void begin(self, long long now) noexcept nogil
    @cython.locals(
        runner=Py_ssize_t, i=Py_ssize_t, record=Py_ssize_t, part=Py_ssize_t, kind=Py_ssize_t
    )
    cdef void note(self, Py_ssize_t person, long long now) noexcept nogil
    @cython.locals(offset=Py_ssize_t, back=cython.bint)
    cdef void _note(
        self,
        Py_ssize_t person,
        unsigned long long[::1] nodes,
        Py_ssize_t row,
        Py_ssize_t shape,
        long long now,
    ) noexcept nogil
    cdef bint _waits_again(self, Py_ssize_t person) noexcept nogil
