cimport cython
from predictor.engine cimport bits, codes
from predictor.engine.layout cimport Layout


@cython.final
cdef class Tree:
    cdef readonly Layout layout
    cdef readonly Py_ssize_t words, switches
    cdef readonly long long[::1] below, begun, distance, cpus
    cdef public long long rest
    cdef readonly long long taken
    cdef readonly bint counts_down, fits

    @cython.locals(switch=Py_ssize_t, had=Py_ssize_t)
    cdef void begin(
        self, unsigned long long[::1] nodes, unsigned long long[::1] left
    ) noexcept nogil
    @cython.locals(
        one=cython.ulonglong, w=Py_ssize_t, bit=cython.ulonglong, switch=Py_ssize_t
    )
    cdef void tell_cpus(self, Py_ssize_t node, long long cpus) noexcept nogil
    @cython.locals(other=Py_ssize_t)
    cdef Py_ssize_t begun_leaf(self, Py_ssize_t leaf) noexcept nogil
    @cython.locals(best=Py_ssize_t, leaf=Py_ssize_t)
    cdef Py_ssize_t best_leaf(self, Py_ssize_t count) noexcept nogil
    cdef Py_ssize_t complete(
        self, Py_ssize_t leaf, Py_ssize_t wanted, Py_ssize_t rest
    ) noexcept nogil
    cdef void go_to(self, Py_ssize_t leaf) noexcept nogil
    @cython.locals(switch=Py_ssize_t)
    cdef void _leave_out(self, Py_ssize_t leaf, long long nodes) noexcept nogil
    cdef bint _suffices(self, Py_ssize_t switch, Py_ssize_t count) noexcept nogil
    @cython.locals(found=Py_ssize_t, switch=Py_ssize_t)
    cdef Py_ssize_t leaves(
        self, unsigned long long[::1] nodes, Py_ssize_t offset
    ) noexcept nogil
    @cython.locals(other=Py_ssize_t)
    cdef void _come_closer(self, Py_ssize_t switch) noexcept nogil
    @cython.locals(found=Py_ssize_t, base=Py_ssize_t, w=Py_ssize_t)
    cdef Py_ssize_t _count(
        self, unsigned long long[::1] nodes, Py_ssize_t offset, Py_ssize_t switch
    ) noexcept nogil
    @cython.locals(closer=cython.longlong, fit=Py_ssize_t, near_enough=cython.bint)
    cdef bint _better(self, Py_ssize_t leaf, Py_ssize_t best, Py_ssize_t count) noexcept nogil
    @cython.locals(
        above=Py_ssize_t, other_above=Py_ssize_t, enough=cython.bint, other_enough=cython.bint,
        lower=cython.longlong,
    )
    cdef Py_ssize_t _fit(
        self, Py_ssize_t one, Py_ssize_t other, Py_ssize_t count
    ) noexcept nogil
    @cython.locals(above=Py_ssize_t)
    cdef Py_ssize_t _above(self, Py_ssize_t switch) noexcept nogil
    @cython.locals(hops=cython.longlong)
    cdef long long _hops(self, Py_ssize_t one, Py_ssize_t other) noexcept nogil
