cimport cython
from predictor.engine cimport codes, sets
from predictor.engine.layout cimport Layout


@cython.final
cdef class Groups:
    cdef readonly Layout layout
    cdef readonly Py_ssize_t words, count
    cdef readonly long long first_s
    cdef readonly bint grows
    cdef readonly long long[::1] ends_at, first_word, end_word, alive
    cdef readonly unsigned long long[::1] nodes, tied

    @cython.locals(base=Py_ssize_t, w=Py_ssize_t, i=Py_ssize_t)
    cdef void add(
        self, Py_ssize_t holding, unsigned long long[::1] nodes, Py_ssize_t offset,
        long long ends_at,
    ) noexcept nogil
    @cython.locals(kept=Py_ssize_t, i=Py_ssize_t)
    cdef void drop(self, Py_ssize_t holding) noexcept nogil
    @cython.locals(
        first=Py_ssize_t, last=Py_ssize_t, mark=cython.longlong, width=cython.longlong,
        ends_at=cython.longlong, first_at=cython.longlong,
    )
    cdef long long end_of(
        self, unsigned long long[::1] nodes, long long at, Py_ssize_t size,
        unsigned long long[::1] found, unsigned long long[::1] room, Py_ssize_t row,
    ) noexcept nogil
    @cython.locals(i=Py_ssize_t)
    cdef void _tie(
        self, Py_ssize_t last, unsigned long long[::1] room, Py_ssize_t row
    ) noexcept nogil
    cdef bint _leaves(self, unsigned long long[::1] found, Py_ssize_t size) noexcept nogil
    @cython.locals(i=Py_ssize_t, following=Py_ssize_t)
    cdef Py_ssize_t _last_of_group(
        self, Py_ssize_t first, long long until, unsigned long long[::1] nodes
    ) noexcept nogil
    cdef Py_ssize_t _next_touching(
        self, Py_ssize_t i, unsigned long long[::1] nodes
    ) noexcept nogil
    @cython.locals(low=Py_ssize_t, high=Py_ssize_t, middle=Py_ssize_t)
    cdef Py_ssize_t _count_until(self, long long at) noexcept nogil
    @cython.locals(first=Py_ssize_t, count=Py_ssize_t)
    cdef bint _touches(self, Py_ssize_t holding, unsigned long long[::1] nodes) noexcept nogil
    cdef long long _wider(self, long long width, long long least) noexcept nogil
