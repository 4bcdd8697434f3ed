cimport cython
from predictor.engine cimport bits, sets
from predictor.engine.layout cimport Layout
from predictor.engine.leaning cimport Leaning
from predictor.engine.portions cimport Portions
from predictor.engine.timeline cimport Timeline


@cython.final
cdef class Gathering:
    cdef readonly Portions portions
    cdef readonly Timeline timeline
    cdef readonly Layout layout
    cdef readonly Leaning leaning
    cdef readonly Py_ssize_t words, kind, spread, runs
    cdef readonly long long size, rest, rest_pieces, least, wanted, most, weakest, fewer
    cdef readonly unsigned long long[::1] nodes, givers, able, left
    cdef readonly long long[::1] given, given_pieces, dealt, run_first, run_end, run_nodes, run_cpus
    cdef readonly long long[::1] run_pieces, run_required

    @cython.locals(w=Py_ssize_t, word=cython.ulonglong, first=cython.ulonglong)
    cdef void begin(
        self, Py_ssize_t kind, Py_ssize_t size, unsigned long long[::1] common
    ) noexcept nogil
    @cython.locals(loose=cython.bint, required=Py_ssize_t, w=Py_ssize_t)
    cdef void _start_over(self) noexcept nogil
    cdef void take_all(self, Py_ssize_t w, unsigned long long word) noexcept nogil
    @cython.locals(w=Py_ssize_t, word=cython.ulonglong)
    cdef void take_also(self, unsigned long long[::1] nodes) noexcept nogil
    cdef bint is_done(self) noexcept nogil
    cdef bint is_enough(self) noexcept nogil
    @cython.locals(
        one=cython.ulonglong, w=Py_ssize_t, bit=cython.ulonglong, cpus=cython.longlong,
        pieces=cython.longlong,
    )
    cdef void take(self, Py_ssize_t node) noexcept nogil
    cdef bint begin_without_weakest(self) noexcept nogil
    @cython.locals(least=cython.longlong, wanted=cython.longlong)
    cdef bint begin_with_fewer(self) noexcept nogil
    cdef bint by_runs(self) noexcept nogil
    @cython.locals(
        there=Py_ssize_t, w=Py_ssize_t, word=cython.ulonglong, first=cython.ulonglong,
        weakest=Py_ssize_t, node=Py_ssize_t, cpus=cython.longlong, least=cython.longlong,
        most=cython.longlong, one=cython.ulonglong, required=cython.ulonglong,
    )
    cdef bint _drop_weakest(self) noexcept nogil
    @cython.locals(
        there=Py_ssize_t, w=Py_ssize_t, word=cython.ulonglong, first=cython.ulonglong,
        dropped=cython.bint,
    )
    cdef bint _drop(self, long long cpus) noexcept nogil
    @cython.locals(best=Py_ssize_t, run=Py_ssize_t)
    cdef void _take_one_run(self) noexcept nogil
    @cython.locals(run=Py_ssize_t)
    cdef void _take_runs(self) noexcept nogil
    @cython.locals(
        before=Py_ssize_t, w=Py_ssize_t, word=cython.ulonglong, first=cython.ulonglong,
        node=Py_ssize_t, run=Py_ssize_t, required=Py_ssize_t, taken=cython.ulonglong,
        breaks=cython.ulonglong,
    )
    cdef void _find_runs(self, bint joined) noexcept nogil
    @cython.locals(best=Py_ssize_t, run=Py_ssize_t)
    cdef Py_ssize_t _best_run(self) noexcept nogil
    @cython.locals(
        weight=cython.longlong, best_weight=cython.longlong, cpus=cython.longlong,
        best_cpus=cython.longlong,
    )
    cdef bint _better(self, Py_ssize_t run, Py_ssize_t best) noexcept nogil
    cdef bint _suffices(self, Py_ssize_t run) noexcept nogil
    @cython.locals(first=Py_ssize_t, end=Py_ssize_t, tightest=Py_ssize_t, node=Py_ssize_t)
    cdef void _take_of(self, Py_ssize_t run) noexcept nogil
    @cython.locals(node=Py_ssize_t, before=Py_ssize_t)
    cdef void _take_about(
        self, Py_ssize_t required, Py_ssize_t first, Py_ssize_t end
    ) noexcept nogil
    @cython.locals(one=cython.ulonglong, w=Py_ssize_t, bit=cython.ulonglong)
    cdef void _take_left(self, Py_ssize_t node) noexcept nogil
    cdef bint _has_rest(self, Py_ssize_t node) noexcept nogil
    @cython.locals(best=Py_ssize_t, node=Py_ssize_t, cpus=cython.longlong)
    cdef Py_ssize_t _tightest(self, Py_ssize_t first, Py_ssize_t end) noexcept nogil
    cdef void largest_first(self) noexcept nogil
    @cython.locals(least=cython.longlong)
    cdef bint _take_widest(self) noexcept nogil
    @cython.locals(
        best=Py_ssize_t, most=cython.longlong, w=Py_ssize_t, word=cython.ulonglong,
        node=Py_ssize_t, cpus=cython.longlong,
    )
    cdef void _take_by_width(self, bint last) noexcept nogil
    @cython.locals(
        task=cython.longlong, tasks=cython.longlong, places=cython.longlong, w=Py_ssize_t,
        word=cython.ulonglong,
    )
    cdef void deal(self) noexcept nogil
    @cython.locals(w=Py_ssize_t, word=cython.ulonglong, node=Py_ssize_t)
    cdef void _fill(self, long long more, long long task) noexcept nogil
    @cython.locals(
        left=cython.longlong, begins=cython.bint, w=Py_ssize_t, word=cython.ulonglong,
        node=Py_ssize_t,
    )
    cdef void _go_round(self, long long tasks, long long task) noexcept nogil
    @cython.locals(portion=Py_ssize_t, tasks=cython.longlong)
    cdef long long _deal_to(
        self, Py_ssize_t node, long long left, long long task, bint begins
    ) noexcept nogil
    @cython.locals(
        portion=Py_ssize_t, step=cython.longlong, steps=cython.longlong, tasks=cython.longlong
    )
    cdef long long _rounded(self, Py_ssize_t node, long long cpus) noexcept nogil
