cimport cython
from predictor.engine cimport bits, codes, moves, sets
from predictor.engine.layout cimport Layout


@cython.final
cdef class Timeline:
    cdef readonly Layout layout
    cdef readonly Py_ssize_t words, groups, count, rows, spares, blocks, spare_blocks, calendar
    cdef readonly Py_ssize_t first_word, end_word
    cdef readonly long long[::1] time, row, uses, era, spare, pools, handle, free, owners
    cdef readonly long long[::1] spare_block, most, touched
    cdef readonly unsigned long long[::1] room

    @cython.locals(
        i=Py_ssize_t, pool=Py_ssize_t, group=Py_ssize_t, resources=Py_ssize_t, node=Py_ssize_t,
        kind=Py_ssize_t, k=Py_ssize_t,
    )
    cdef void _fill_first_row(self) noexcept nogil
    @cython.locals(low=Py_ssize_t, rest=Py_ssize_t, half=Py_ssize_t)
    cdef Py_ssize_t slot_at(self, long long at) noexcept nogil
    @cython.locals(kind=Py_ssize_t, shape=Py_ssize_t, found=Py_ssize_t, w=Py_ssize_t,
                   candidates=cython.ulonglong)
    cdef void _count_kinds(self) noexcept nogil
    @cython.locals(i=Py_ssize_t, row=Py_ssize_t)
    cdef Py_ssize_t cut(self, long long at) noexcept nogil
    @cython.locals(i=Py_ssize_t)
    cdef void uncut(self, long long at) noexcept nogil
    @cython.locals(i=Py_ssize_t, first=Py_ssize_t)
    cdef void forget_before(self, long long at) noexcept nogil
    cdef void _insert(self, Py_ssize_t place, long long at, Py_ssize_t row) noexcept nogil
    cdef void _close_gap(self, Py_ssize_t first, Py_ssize_t length) noexcept nogil
    cdef void _more_slots(self) noexcept with gil
    @cython.locals(
        kind=Py_ssize_t, pool=Py_ssize_t, group=Py_ssize_t, target=Py_ssize_t,
        size=Py_ssize_t, kinds=Py_ssize_t, pools=Py_ssize_t, handle=Py_ssize_t,
    )
    cdef Py_ssize_t _copied_row(self, Py_ssize_t source) noexcept nogil
    @cython.locals(i=Py_ssize_t)
    cdef void _copy(
        self, unsigned long long[::1] words, Py_ssize_t source, Py_ssize_t target,
        Py_ssize_t size,
    ) noexcept nogil
    @cython.locals(group=Py_ssize_t, handle=Py_ssize_t)
    cdef void _drop_row(self, Py_ssize_t row) noexcept nogil
    cdef void _more_rows(self) noexcept with gil
    cdef void _more_blocks(self) noexcept with gil
    @cython.locals(i=Py_ssize_t, handle=Py_ssize_t, own=Py_ssize_t, size=Py_ssize_t)
    cdef Py_ssize_t own_block(self, Py_ssize_t row, Py_ssize_t group) noexcept nogil
    @cython.locals(i=Py_ssize_t, first=Py_ssize_t, last=Py_ssize_t)
    cdef void take(
        self, unsigned long long[::1] nodes, Py_ssize_t offset, Py_ssize_t kind,
        Py_ssize_t shape, long long start_at, long long end_at,
    ) noexcept nogil
    @cython.locals(i=Py_ssize_t, first=Py_ssize_t, last=Py_ssize_t)
    cdef void give_back(
        self, unsigned long long[::1] nodes, Py_ssize_t offset, Py_ssize_t kind,
        Py_ssize_t shape, long long start_at, long long end_at,
    ) noexcept nogil
    @cython.locals(i=Py_ssize_t, first=Py_ssize_t, last=Py_ssize_t)
    cdef void lend(
        self, Py_ssize_t node, long long cpus, bint whole, long long start_at, long long end_at
    ) noexcept nogil
    @cython.locals(i=Py_ssize_t, first=Py_ssize_t, last=Py_ssize_t)
    cdef void reclaim(
        self, Py_ssize_t node, long long cpus, bint whole, long long start_at, long long end_at
    ) noexcept nogil
    @cython.locals(
        resources=Py_ssize_t, base=Py_ssize_t, capacity=Py_ssize_t, k=Py_ssize_t
    )
    cdef void _shift(
        self, Py_ssize_t row, Py_ssize_t node, long long cpus, bint whole, long long sign
    ) noexcept nogil
    @cython.locals(
        w=Py_ssize_t, k=Py_ssize_t, node=Py_ssize_t, base=Py_ssize_t, amounts=Py_ssize_t, resources=Py_ssize_t,
        word=cython.ulonglong,
    )
    cdef void _change(
        self, Py_ssize_t row, unsigned long long[::1] nodes, Py_ssize_t offset,
        Py_ssize_t kind, Py_ssize_t shape, long long sign,
    ) noexcept nogil
    @cython.locals(i=Py_ssize_t, pool=Py_ssize_t)
    cdef void change_pools(self, Py_ssize_t row, Py_ssize_t kind, long long sign) noexcept nogil
    @cython.locals(
        kind=Py_ssize_t, shape=Py_ssize_t, base=Py_ssize_t, fits=Py_ssize_t, w=Py_ssize_t,
        room="unsigned long long[::1]", fits_empty="unsigned long long[::1]",
    )
    cdef void _flip(
        self, Py_ssize_t row, unsigned long long[::1] nodes, Py_ssize_t offset, long long sign
    ) noexcept nogil
    @cython.locals(
        resources=Py_ssize_t, one=cython.ulonglong, bit=cython.ulonglong,
        w=Py_ssize_t, shape=Py_ssize_t, amounts=Py_ssize_t, fits=cython.bint, k=Py_ssize_t,
        place=Py_ssize_t,
    )
    cdef void refresh(self, Py_ssize_t row, Py_ssize_t node, Py_ssize_t free) noexcept nogil
    cdef bint _is_welcome(self, Py_ssize_t shape, Py_ssize_t free) noexcept nogil
    @cython.locals(
        sums=Py_ssize_t, user=cython.longlong, count=cython.longlong, total=cython.longlong,
        squares=cython.longlong,
    )
    cdef bint _are_own(self, Py_ssize_t shape, Py_ssize_t free, Py_ssize_t sort) noexcept nogil
    @cython.locals(sort=Py_ssize_t)
    cdef bint welcomes(self, Py_ssize_t slot, Py_ssize_t node, Py_ssize_t shape) noexcept nogil
    @cython.locals(handle=Py_ssize_t)
    cdef Py_ssize_t free_at(self, Py_ssize_t slot, Py_ssize_t node) noexcept nogil
    cdef long long free_cpus(self, Py_ssize_t slot, Py_ssize_t node) noexcept nogil
    @cython.locals(latest=Py_ssize_t)
    cdef bint learn(self, long long at) noexcept nogil
    @cython.locals(begun=Py_ssize_t, era=Py_ssize_t, end=Py_ssize_t, row=Py_ssize_t)
    cdef void keep_open(
        self, unsigned long long[::1] nodes, Py_ssize_t first, Py_ssize_t count,
        Py_ssize_t reservation, long long at, long long until
    ) noexcept nogil
    @cython.locals(e=Py_ssize_t, i=Py_ssize_t)
    cdef void _set_eras(self) noexcept nogil
    cdef bint is_edge(self, long long at) noexcept nogil
    cdef bint is_begin(self, long long at) noexcept nogil
    @cython.locals(
        kind=Py_ssize_t, base=Py_ssize_t, fits=Py_ssize_t, found=Py_ssize_t, w=Py_ssize_t,
        word=cython.ulonglong,
    )
    cdef void _count_touched(
        self, unsigned long long[::1] nodes, Py_ssize_t offset
    ) noexcept nogil
    cdef void _delimit(self, unsigned long long[::1] nodes, Py_ssize_t offset) noexcept nogil
