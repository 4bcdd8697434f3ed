cimport cython
from predictor.engine cimport bits
from predictor.engine.layout cimport Layout
from predictor.engine.timeline cimport Timeline


@cython.final
cdef class Portions:
    cdef readonly Timeline timeline
    cdef readonly Layout layout
    cdef readonly Py_ssize_t words
    cdef readonly bint begins
    cdef readonly long long[::1] cpus, pieces, tally

    cdef void begin(self) noexcept nogil
    @cython.locals(
        w=Py_ssize_t, word=cython.ulonglong, node=Py_ssize_t, cpus=cython.longlong,
        pieces=cython.longlong,
    )
    cdef bint suffice(
        self, Py_ssize_t kind, Py_ssize_t size, Py_ssize_t slot, unsigned long long[::1] nodes
    ) noexcept nogil
    @cython.locals(
        resources=Py_ssize_t, spread=Py_ssize_t, free=Py_ssize_t, node_class=Py_ssize_t,
        least=Py_ssize_t, portion=Py_ssize_t, more=cython.longlong, k=Py_ssize_t,
        spare=cython.longlong, each=cython.longlong,
    )
    cdef long long _pieces_of(
        self, Py_ssize_t kind, Py_ssize_t slot, Py_ssize_t node
    ) noexcept nogil
    @cython.locals(
        resources=Py_ssize_t, spread=Py_ssize_t, free=Py_ssize_t, node_class=Py_ssize_t,
        least=Py_ssize_t, portion=Py_ssize_t, more=cython.longlong, k=Py_ssize_t,
        spare=cython.longlong, each=cython.longlong, cpus_each=cython.longlong,
        cpus=cython.longlong,
    )
    cpdef long long of(self, Py_ssize_t kind, Py_ssize_t slot, Py_ssize_t node) noexcept nogil
    @cython.locals(
        found=cython.longlong, width=Py_ssize_t, w=Py_ssize_t, word=cython.ulonglong,
        node=Py_ssize_t,
    )
    cdef long long total(
        self, Py_ssize_t kind, Py_ssize_t slot, unsigned long long[::1] nodes
    ) noexcept nogil
    @cython.locals(
        spread=Py_ssize_t, givers=Py_ssize_t, found=cython.longlong, pieces=cython.longlong,
        w=Py_ssize_t, word=cython.ulonglong, node=Py_ssize_t, cpus=cython.longlong,
        most=Py_ssize_t,
    )
    cdef bint add_up(
        self, Py_ssize_t kind, Py_ssize_t size, unsigned long long[::1] nodes
    ) noexcept nogil
    @cython.locals(weakest=cython.longlong, first=Py_ssize_t, end=Py_ssize_t)
    cdef bint has_run(
        self, Py_ssize_t kind, Py_ssize_t size, unsigned long long[::1] nodes
    ) noexcept nogil
    @cython.locals(one=cython.ulonglong, node=Py_ssize_t, w=Py_ssize_t)
    cdef Py_ssize_t _run_end(
        self, unsigned long long[::1] nodes, Py_ssize_t first, long long weakest
    ) noexcept nogil
    @cython.locals(
        spread=Py_ssize_t, rest=cython.longlong, least=cython.longlong, left=cython.longlong,
        wanted=cython.longlong, node=Py_ssize_t,
    )
    cdef bint _gives(
        self, Py_ssize_t kind, Py_ssize_t size, Py_ssize_t first, Py_ssize_t end
    ) noexcept nogil
    @cython.locals(portion=Py_ssize_t, spare=cython.longlong)
    cdef long long given(
        self, Py_ssize_t spread, Py_ssize_t node, long long rest, long long least
    ) noexcept nogil
    @cython.locals(
        found=cython.longlong, most=cython.longlong, w=Py_ssize_t, word=cython.ulonglong,
        here=cython.longlong,
    )
    cdef long long stronger_than(
        self, unsigned long long[::1] nodes, long long cpus
    ) noexcept nogil
    @cython.locals(width=Py_ssize_t, w=Py_ssize_t, word=cython.ulonglong, node=Py_ssize_t)
    cdef void tell_whole(self, unsigned long long[::1] nodes) noexcept nogil
    @cython.locals(
        spread=Py_ssize_t, givers=cython.longlong, found=cython.longlong, width=Py_ssize_t,
        count=cython.longlong, left=cython.longlong, named=cython.longlong,
        others=cython.longlong, taken=cython.longlong,
    )
    cdef bint _whole_add_up(
        self, Py_ssize_t kind, Py_ssize_t size, unsigned long long[::1] nodes
    ) noexcept nogil
    @cython.locals(first=Py_ssize_t, count=cython.longlong, w=Py_ssize_t)
    cdef long long _count(
        self, Py_ssize_t kind, Py_ssize_t width, unsigned long long[::1] nodes
    ) noexcept nogil
    @cython.locals(first=Py_ssize_t, count=cython.longlong, w=Py_ssize_t, word=cython.ulonglong)
    cdef long long _count_required(
        self, Py_ssize_t kind, Py_ssize_t width, unsigned long long[::1] nodes
    ) noexcept nogil
    @cython.locals(
        found=cython.longlong, left=cython.longlong, required=Py_ssize_t, w=Py_ssize_t,
        word=cython.ulonglong, first=cython.ulonglong, cpus=Py_ssize_t, taken=cython.longlong,
    )
    cdef long long _of_largest(
        self, Py_ssize_t kind, Py_ssize_t most, unsigned long long[::1] nodes
    ) noexcept nogil
