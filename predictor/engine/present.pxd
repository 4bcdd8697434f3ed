cimport cython
from predictor.engine.placer cimport Placer
from predictor.engine.queue cimport Queue
from predictor.engine.search cimport Search


@cython.final
cdef class Present:
    cdef readonly Placer placer
    cdef readonly Queue queue
    cdef readonly Search search
    cdef readonly long long now
    cdef readonly Py_ssize_t record
    cdef readonly long long[::1] kind, size

    cdef void begin(self, long long now) noexcept nogil
    cdef void count(self) noexcept nogil
    @cython.locals(kind=Py_ssize_t)
    cdef bint lacks_room(self, Py_ssize_t job) noexcept nogil
    @cython.locals(i=Py_ssize_t)
    cdef bint can_start(self, Py_ssize_t job, bint remember) noexcept nogil
    @cython.locals(part=Py_ssize_t)
    cdef void hold(self, Py_ssize_t record, bint take) noexcept nogil
    @cython.locals(first=Py_ssize_t, end=Py_ssize_t, placed=Py_ssize_t, part=Py_ssize_t)
    cdef bint _fits(self, Py_ssize_t record, bint remember) noexcept nogil
    @cython.locals(way=Py_ssize_t)
    cdef bint _part_fits(self, Py_ssize_t part, bint remember) noexcept nogil
    @cython.locals(
        kind=Py_ssize_t, size=Py_ssize_t, length=cython.longlong, opens=cython.bint
    )
    cdef bint _opens(self, Py_ssize_t way, bint remember) noexcept nogil
    cdef bint _is_known_to_fail(
        self, Py_ssize_t kind, Py_ssize_t size, long long length
    ) noexcept nogil
