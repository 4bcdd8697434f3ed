cimport cython
from predictor.engine cimport bits, codes
from predictor.engine.hints cimport Hints
from predictor.engine.layout cimport Layout
from predictor.engine.timeline cimport Timeline


@cython.final
cdef class Openings:
    cdef readonly Timeline timeline
    cdef readonly Layout layout
    cdef readonly Hints hints
    cdef readonly Py_ssize_t words
    cdef readonly unsigned long long[::1] left

    cdef void forget(self) noexcept nogil
    @cython.locals(
        bound=cython.longlong, earliest=Py_ssize_t, slot=Py_ssize_t, at=cython.longlong
    )
    cdef long long first(
        self, Py_ssize_t kind, Py_ssize_t size, long long length, long long now, long long until
    ) noexcept nogil
    cdef long long after(
        self, Py_ssize_t kind, Py_ssize_t size, long long length, long long at, long long until
    ) noexcept nogil
    @cython.locals(
        bound=cython.longlong, certain=cython.bint, found=cython.bint, roomless=cython.bint,
        following=Py_ssize_t, roomy=Py_ssize_t, failed=Py_ssize_t,
    )
    cdef long long _try_from(
        self, Py_ssize_t slot, long long at, Py_ssize_t kind, Py_ssize_t size, long long length,
        long long until, long long hinted,
    ) noexcept nogil
    @cython.locals(slot=Py_ssize_t)
    cdef bint is_open(
        self, Py_ssize_t kind, Py_ssize_t size, long long length, long long now
    ) noexcept nogil
    @cython.locals(
        words=Py_ssize_t, rows="long long[::1]", edges="long long[::1]",
        room="unsigned long long[::1]", blocked="unsigned long long[::1]",
        left="unsigned long long[::1]", candidates="unsigned long long[::1]",
        offset=Py_ssize_t, first=Py_ssize_t, end=Py_ssize_t, base=Py_ssize_t,
        found=Py_ssize_t, w=Py_ssize_t, i=Py_ssize_t, waits=Py_ssize_t, touches=cython.bint,
    )
    cdef Py_ssize_t _failing(
        self, Py_ssize_t kind, Py_ssize_t size, Py_ssize_t slot, long long until,
        Py_ssize_t roomy,
    ) noexcept nogil
    @cython.locals(found=Py_ssize_t, w=Py_ssize_t)
    cdef Py_ssize_t _count(self, Py_ssize_t first, Py_ssize_t end) noexcept nogil
