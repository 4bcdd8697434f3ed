cimport cython
from predictor.engine cimport bits, codes
from predictor.engine.layout cimport Layout
from predictor.engine.timeline cimport Timeline


@cython.final
cdef class Given:
    cdef readonly Timeline timeline
    cdef readonly Layout layout
    cdef readonly Py_ssize_t words, count
    cdef readonly long long[::1] start, room, cpus, pieces

    @cython.locals(
        width=Py_ssize_t, w=Py_ssize_t, i=Py_ssize_t, word=cython.ulonglong, node=Py_ssize_t
    )
    cdef void keep(
        self, Py_ssize_t part, unsigned long long[::1] nodes, long long[::1] given,
        long long[::1] pieces,
    ) noexcept nogil
    cdef void _more(self) noexcept with gil
    @cython.locals(
        one=cython.ulonglong, i=Py_ssize_t, w=Py_ssize_t, before=Py_ssize_t,
        bit=cython.ulonglong,
    )
    cdef long long of(
        self, Py_ssize_t part, unsigned long long[::1] nodes, Py_ssize_t offset, Py_ssize_t node
    ) noexcept nogil
    @cython.locals(found=cython.longlong, i=Py_ssize_t, w=Py_ssize_t, _=Py_ssize_t)
    cdef long long in_all(
        self, Py_ssize_t part, unsigned long long[::1] nodes, Py_ssize_t offset
    ) noexcept nogil
    @cython.locals(
        slot=Py_ssize_t, i=Py_ssize_t, w=Py_ssize_t, word=cython.ulonglong, node=Py_ssize_t,
        memory_mb=cython.longlong,
    )
    cdef bint overfills(
        self, Py_ssize_t part, unsigned long long[::1] nodes, Py_ssize_t offset,
        Py_ssize_t kind, long long now,
    ) noexcept nogil
    @cython.locals(first=Py_ssize_t, last=Py_ssize_t, i=Py_ssize_t)
    cdef void take(
        self, Py_ssize_t part, unsigned long long[::1] nodes, Py_ssize_t offset,
        Py_ssize_t kind, long long start_at, long long end_at,
    ) noexcept nogil
    @cython.locals(first=Py_ssize_t, last=Py_ssize_t, i=Py_ssize_t)
    cdef void give_back(
        self, Py_ssize_t part, unsigned long long[::1] nodes, Py_ssize_t offset,
        Py_ssize_t kind, long long start_at, long long end_at,
    ) noexcept nogil
    @cython.locals(
        resources=Py_ssize_t, i=Py_ssize_t, w=Py_ssize_t, word=cython.ulonglong,
        node=Py_ssize_t, block=Py_ssize_t, free=Py_ssize_t, k=Py_ssize_t,
        amount=cython.longlong,
    )
    cdef void _change(
        self, Py_ssize_t row, Py_ssize_t part, unsigned long long[::1] nodes,
        Py_ssize_t offset, Py_ssize_t kind, long long sign,
    ) noexcept nogil
    @cython.locals(
        resources=Py_ssize_t, node_class=Py_ssize_t, least=Py_ssize_t, spread=Py_ssize_t,
        portion=Py_ssize_t, more=cython.longlong, each=cython.longlong,
        cpus_each=cython.longlong,
    )
    cdef long long _amount(
        self, Py_ssize_t kind, Py_ssize_t node, Py_ssize_t k, long long cpus, long long pieces
    ) noexcept nogil
