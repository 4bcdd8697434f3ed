cimport cython
from predictor.engine cimport bits, codes
from predictor.engine.layout cimport Layout
from predictor.engine.search cimport Search


@cython.final
cdef class Choice:
    cdef readonly Search search
    cdef readonly Layout layout
    cdef readonly Py_ssize_t words, turn
    cdef readonly unsigned long long[::1] nodes, left

    @cython.locals(
        w=Py_ssize_t, count=Py_ssize_t, slot=Py_ssize_t, allocation=Py_ssize_t
    )
    cdef void choose(self, Py_ssize_t kind, Py_ssize_t size, long long at) noexcept nogil
    @cython.locals(one=cython.ulonglong, w=Py_ssize_t, bit=cython.ulonglong)
    cdef void _take(self, Py_ssize_t node) noexcept nogil
    @cython.locals(node=Py_ssize_t)
    cdef void _first_from(self, Py_ssize_t begin, Py_ssize_t count) noexcept nogil
    @cython.locals(node=Py_ssize_t)
    cdef void _last(self, Py_ssize_t count) noexcept nogil
    @cython.locals(one=cython.ulonglong, w=Py_ssize_t)
    cdef bint _is_left(self, Py_ssize_t node) noexcept nogil
    @cython.locals(
        best=Py_ssize_t, best_load=cython.longlong, load=cython.longlong, w=Py_ssize_t,
        word=cython.ulonglong, node=Py_ssize_t,
    )
    cdef void _by_load(
        self, Py_ssize_t count, Py_ssize_t slot, Py_ssize_t allocation
    ) noexcept nogil
    @cython.locals(free=cython.longlong, cpus=cython.longlong)
    cdef long long _load(
        self, Py_ssize_t node, Py_ssize_t slot, Py_ssize_t allocation
    ) noexcept nogil
    @cython.locals(
        best=Py_ssize_t, best_end=Py_ssize_t, best_cpus=cython.longlong,
        best_enough=cython.bint, node=Py_ssize_t, end=Py_ssize_t, size=Py_ssize_t,
        cpus=cython.longlong, member=Py_ssize_t, enough=cython.bint,
    )
    cdef void _by_runs(self, Py_ssize_t count, Py_ssize_t slot) noexcept nogil
    @cython.locals(weight=cython.longlong, best_weight=cython.longlong)
    cdef bint _better(
        self, Py_ssize_t node, bint enough, long long cpus, Py_ssize_t best, bint best_enough,
        long long best_cpus,
    ) noexcept nogil
    @cython.locals(
        best=Py_ssize_t, best_cpus=cython.longlong, node=Py_ssize_t, cpus=cython.longlong
    )
    cdef Py_ssize_t _tightest(
        self, Py_ssize_t first, Py_ssize_t end, Py_ssize_t slot
    ) noexcept nogil
    @cython.locals(w=Py_ssize_t, shift=Py_ssize_t, word=cython.ulonglong)
    cdef Py_ssize_t _next_left(self, Py_ssize_t begin) noexcept nogil
    @cython.locals(end=Py_ssize_t)
    cdef Py_ssize_t _run_end(self, Py_ssize_t node) noexcept nogil
    @cython.locals(first=Py_ssize_t, w=Py_ssize_t, node=Py_ssize_t)
    cdef void _one_run(self, Py_ssize_t size) noexcept nogil
