cimport cython
from predictor.engine cimport bits, codes, sets
from predictor.engine.layout cimport Layout
from predictor.engine.limits cimport Limits


@cython.final
cdef class Leaning:
    cdef readonly Layout layout
    cdef readonly Limits limits
    cdef readonly Py_ssize_t words
    cdef readonly unsigned long long ones
    cdef readonly bint matters, leans
    cdef readonly unsigned long long[::1] heavy, light, slow, breaks, used, lightest
    cdef readonly long long[::1] steps, pieces, there

    @cython.locals(
        w=Py_ssize_t, make=Py_ssize_t, word=cython.ulonglong, alike=cython.ulonglong
    )
    cdef void turn_to(
        self, long long claim, unsigned long long[::1] nodes, Py_ssize_t offset
    ) noexcept nogil
    cdef Py_ssize_t _make(self, Py_ssize_t w, unsigned long long word) noexcept nogil
    cdef unsigned long long _alike(self, Py_ssize_t w, unsigned long long word) noexcept nogil
    @cython.locals(w=Py_ssize_t)
    cdef void begin_anew(self, unsigned long long[::1] uncleared) noexcept nogil
    @cython.locals(
        row=Py_ssize_t, spread=Py_ssize_t, w=Py_ssize_t, word=cython.ulonglong, node=Py_ssize_t,
        steps=cython.longlong,
    )
    cdef void draw(
        self, Py_ssize_t kind, unsigned long long[::1] nodes
    ) noexcept nogil
    @cython.locals(
        w=Py_ssize_t, more=cython.longlong, slow=cython.longlong, weight=cython.longlong
    )
    cdef long long weight(self, Py_ssize_t node) noexcept nogil
    @cython.locals(
        found=Py_ssize_t, least=cython.longlong, w=Py_ssize_t, word=cython.ulonglong,
        first=cython.ulonglong, weight=cython.longlong,
    )
    cdef Py_ssize_t find_lightest(self, unsigned long long[::1] nodes) noexcept nogil
    cdef void _stop_drawing(self, Py_ssize_t w, unsigned long long word) noexcept nogil
    @cython.locals(
        w=Py_ssize_t, word=cython.ulonglong, more=cython.ulonglong, less=cython.ulonglong, slow=cython.ulonglong,
        first=cython.ulonglong, node=Py_ssize_t,
    )
    cdef void _note(self) noexcept nogil
