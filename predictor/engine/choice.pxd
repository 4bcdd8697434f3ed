cimport cython
from predictor.engine cimport bits, codes, sets
from predictor.engine.branches cimport Branches
from predictor.engine.gathering cimport Gathering
from predictor.engine.layout cimport Layout
from predictor.engine.leaning cimport Leaning
from predictor.engine.runs cimport Runs
from predictor.engine.search cimport Search
from predictor.engine.tree cimport Tree


@cython.final
cdef class Choice:
    cdef readonly Search search
    cdef readonly Layout layout
    cdef readonly Leaning leaning
    cdef readonly Gathering gathering
    cdef readonly Tree tree
    cdef readonly Branches branches
    cdef readonly Runs even_runs
    cdef readonly Py_ssize_t words, turn, order, runs, kind
    cdef readonly unsigned long long ones
    cdef readonly long long[::1] run_first, run_end, run_cpus
    cdef readonly unsigned long long[::1] nodes, left, aside, busy
    cdef public bint busy_first
    cdef readonly bint joined, suffices

    @cython.locals(
        count=Py_ssize_t, slot=Py_ssize_t, allocation=Py_ssize_t, group=Py_ssize_t,
        alike=cython.bint,
    )
    cpdef void choose(self, Py_ssize_t kind, Py_ssize_t size, long long at) noexcept nogil
    cdef Py_ssize_t _allocation(self, Py_ssize_t kind) noexcept nogil
    @cython.locals(enough=cython.bint)
    cdef bint gathers(self, Py_ssize_t kind, Py_ssize_t size, long long at) noexcept nogil
    @cython.locals(allocation=Py_ssize_t, slot=Py_ssize_t, w=Py_ssize_t)
    cdef bint _try_to_gather(self, Py_ssize_t size, long long at) noexcept nogil
    @cython.locals(weight=cython.longlong, node=Py_ssize_t)
    cdef void _take_spare(self) noexcept nogil
    @cython.locals(w=Py_ssize_t)
    cdef bint _is_busy(self, Py_ssize_t node) noexcept nogil
    @cython.locals(least=Py_ssize_t, end=Py_ssize_t, alone=Py_ssize_t, first=Py_ssize_t)
    cdef Py_ssize_t _choose_of(
        self, Py_ssize_t group, Py_ssize_t kind, Py_ssize_t slot, Py_ssize_t allocation
    ) noexcept nogil
    @cython.locals(
        found=Py_ssize_t, w=Py_ssize_t, word=cython.ulonglong, other=Py_ssize_t
    )
    cdef Py_ssize_t _set_aside(self, Py_ssize_t group, Py_ssize_t end) noexcept nogil
    @cython.locals(w=Py_ssize_t)
    cdef void _take_back(self) noexcept nogil
    cdef void _pick(
        self, Py_ssize_t count, Py_ssize_t size, Py_ssize_t slot, Py_ssize_t allocation
    ) noexcept nogil
    @cython.locals(one=cython.ulonglong, w=Py_ssize_t, bit=cython.ulonglong)
    cdef void _take(self, Py_ssize_t node) noexcept nogil
    cdef void _first_from(self, Py_ssize_t begin, Py_ssize_t count) noexcept nogil
    @cython.locals(w=Py_ssize_t, word=cython.ulonglong, found=Py_ssize_t)
    cdef Py_ssize_t _take_first(
        self, Py_ssize_t begin, Py_ssize_t end, Py_ssize_t count
    ) noexcept nogil
    @cython.locals(w=Py_ssize_t, word=cython.ulonglong, found=Py_ssize_t)
    cdef void _last(self, Py_ssize_t count) noexcept nogil
    cdef void _take_word(self, Py_ssize_t w, unsigned long long word) noexcept nogil
    @cython.locals(w=Py_ssize_t)
    cdef void _take_run(self, Py_ssize_t first, Py_ssize_t end) noexcept nogil
    @cython.locals(base=Py_ssize_t, first=Py_ssize_t, after=Py_ssize_t)
    cdef unsigned long long _span(
        self, Py_ssize_t w, Py_ssize_t begin, Py_ssize_t end
    ) noexcept nogil
    @cython.locals(leaf=Py_ssize_t)
    cdef void _by_leaves(self, Py_ssize_t count) noexcept nogil
    @cython.locals(found=Py_ssize_t, w=Py_ssize_t)
    cdef Py_ssize_t _take_lighter(self, Py_ssize_t count) noexcept nogil
    @cython.locals(w=Py_ssize_t, word=cython.ulonglong, found=Py_ssize_t)
    cdef Py_ssize_t _take_of(self, Py_ssize_t leaf, Py_ssize_t count) noexcept nogil
    @cython.locals(
        best=Py_ssize_t, best_load=cython.longlong, load=cython.longlong, w=Py_ssize_t,
        word=cython.ulonglong, node=Py_ssize_t, place=cython.longlong, best_place=cython.longlong,
    )
    cdef void _by_load(
        self, Py_ssize_t count, Py_ssize_t slot, Py_ssize_t allocation
    ) noexcept nogil
    cdef long long _place(self, Py_ssize_t node, Py_ssize_t allocation) noexcept nogil
    @cython.locals(free=cython.longlong, cpus=cython.longlong)
    cdef long long _load(
        self, Py_ssize_t node, Py_ssize_t slot, Py_ssize_t allocation
    ) noexcept nogil
    @cython.locals(best=Py_ssize_t, run=Py_ssize_t, first=Py_ssize_t, end=Py_ssize_t)
    cdef void _by_runs(self, Py_ssize_t count, Py_ssize_t slot) noexcept nogil
    @cython.locals(first=Py_ssize_t, length=Py_ssize_t)
    cdef void _by_even_runs(self, Py_ssize_t count) noexcept nogil
    @cython.locals(node=Py_ssize_t, end=Py_ssize_t)
    cdef void _find_runs(self, Py_ssize_t slot) noexcept nogil
    @cython.locals(
        weight=cython.longlong, best_weight=cython.longlong, enough=cython.bint,
        cpus=cython.longlong, best_cpus=cython.longlong,
    )
    cdef bint _better(self, Py_ssize_t run, Py_ssize_t best, Py_ssize_t count) noexcept nogil
    @cython.locals(
        best=Py_ssize_t, best_cpus=cython.longlong, node=Py_ssize_t, cpus=cython.longlong
    )
    cdef Py_ssize_t _tightest(
        self, Py_ssize_t first, Py_ssize_t end, Py_ssize_t slot
    ) noexcept nogil
    @cython.locals(w=Py_ssize_t, shift=Py_ssize_t, word=cython.ulonglong)
    cdef Py_ssize_t _next_left(self, Py_ssize_t begin) noexcept nogil
    @cython.locals(
        begin=Py_ssize_t, w=Py_ssize_t, shift=Py_ssize_t, word=cython.ulonglong,
        breaks=cython.ulonglong,
    )
    cdef Py_ssize_t _run_after(self, Py_ssize_t node) noexcept nogil
    @cython.locals(best=Py_ssize_t, run=Py_ssize_t, w=Py_ssize_t)
    cdef void _one_run(self, Py_ssize_t size, Py_ssize_t slot) noexcept nogil
    @cython.locals(weight=cython.longlong, best_weight=cython.longlong)
    cdef bint _fits_better(self, Py_ssize_t run, Py_ssize_t best) noexcept nogil
