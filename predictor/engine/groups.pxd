cimport cython
from predictor.engine cimport codes
from predictor.engine.layout cimport Layout


@cython.final
cdef class Groups:
    cdef readonly Layout layout
    cdef readonly Py_ssize_t words, count
    cdef readonly long long first_s
    cdef readonly bint grows
    cdef readonly long long[::1] ends_at, place, alive, known, mark, last
    cdef readonly unsigned long long[::1] nodes

    @cython.locals(i=Py_ssize_t)
    cdef void clear(self) noexcept nogil
    @cython.locals(kind=Py_ssize_t)
    cdef void forget(self) noexcept nogil
    @cython.locals(w=Py_ssize_t)
    cdef void add(
        self, Py_ssize_t holding, unsigned long long[::1] nodes, Py_ssize_t offset,
        long long ends_at,
    ) noexcept nogil
    @cython.locals(place=Py_ssize_t, last=Py_ssize_t)
    cdef void drop(self, Py_ssize_t holding) noexcept nogil
    @cython.locals(span=Py_ssize_t, last=cython.longlong)
    cdef long long end_of(self, Py_ssize_t kind, long long at) noexcept nogil
    @cython.locals(
        first=cython.longlong, i=Py_ssize_t, ends_at=cython.longlong, span=Py_ssize_t,
        place=Py_ssize_t,
    )
    cdef void _find(self, Py_ssize_t kind) noexcept nogil
    @cython.locals(nodes=Py_ssize_t, candidates=Py_ssize_t, w=Py_ssize_t)
    cdef bint _touches(self, Py_ssize_t holding, Py_ssize_t kind) noexcept nogil
    @cython.locals(span=Py_ssize_t, end_s=cython.longlong)
    cdef Py_ssize_t _span(self, long long after_s) noexcept nogil
