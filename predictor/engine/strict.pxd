cimport cython
from predictor.engine cimport bits, codes, sets
from predictor.engine.layout cimport Layout
from predictor.engine.licensing cimport Licensing
from predictor.engine.placer cimport Placer
from predictor.engine.queue cimport Queue
from predictor.engine.timeline cimport Timeline
from predictor.engine.victims cimport Victims


@cython.final
cdef class StrictPass:
    cdef readonly Placer placer
    cdef readonly Queue queue
    cdef readonly Victims victims
    cdef readonly Timeline timeline
    cdef readonly Layout layout
    cdef readonly Licensing licensing
    cdef readonly Py_ssize_t words
    cdef readonly bint licenses_planned, licenses_with_nodes, limits_stop, rehearses
    cdef readonly long long min_age_s, partition_depth, starts_max
    cdef readonly unsigned long long[::1] closed, barred, left
    cdef readonly long long[::1] failed, full, seen

    @cython.locals(
        partition=Py_ssize_t, seen=cython.longlong, failures=Py_ssize_t, started=Py_ssize_t,
        i=Py_ssize_t, record=Py_ssize_t, part=Py_ssize_t, reserved=cython.bint,
        verdict=Py_ssize_t, reservation=Py_ssize_t, array=Py_ssize_t, given_up=Py_ssize_t,
        given_up_in=Py_ssize_t, logged=Py_ssize_t,
    )
    cdef void run(self, long long now, long long depth) noexcept nogil
    cdef void weigh(self, long long now) noexcept nogil
    @cython.locals(partition=Py_ssize_t, w=Py_ssize_t, reservation=Py_ssize_t)
    cdef void _forget(self) noexcept nogil
    @cython.locals(way=Py_ssize_t, kind=Py_ssize_t, count=Py_ssize_t, required=Py_ssize_t)
    cdef bint _is_out_of_reach(self, Py_ssize_t part, long long now) noexcept nogil
    @cython.locals(found=Py_ssize_t, own=Py_ssize_t, w=Py_ssize_t)
    cdef Py_ssize_t _find_left(self, Py_ssize_t kind, long long now, long long until) noexcept nogil
    @cython.locals(row=Py_ssize_t, w=Py_ssize_t, word=cython.ulonglong, node=Py_ssize_t)
    cdef bint _is_in_use(self, Py_ssize_t kind) noexcept nogil
    cdef void _note_full(self, Py_ssize_t kind) noexcept nogil
    @cython.locals(named=cython.bint)
    cdef Py_ssize_t _stop(self, Py_ssize_t part, Py_ssize_t partition) noexcept nogil
    cdef Py_ssize_t _fail(self, Py_ssize_t partition) noexcept nogil
    @cython.locals(way=Py_ssize_t, members=Py_ssize_t, asked=Py_ssize_t)
    cdef bint _is_shut_out(self, Py_ssize_t part) noexcept nogil
    @cython.locals(way=Py_ssize_t, kind=Py_ssize_t, asked=Py_ssize_t)
    cdef bint _names_nodes(self, Py_ssize_t part) noexcept nogil
    @cython.locals(way=Py_ssize_t, base=Py_ssize_t, w=Py_ssize_t, word=cython.ulonglong)
    cdef void _close(self, Py_ssize_t part, bint named) noexcept nogil
    @cython.locals(way=Py_ssize_t, kind=Py_ssize_t, required=Py_ssize_t)
    cdef void _turn_to(self, Py_ssize_t part, long long now) noexcept nogil
    @cython.locals(kind=Py_ssize_t, insists=cython.bint, most=Py_ssize_t)
    cdef void _heed_wish(self, Py_ssize_t record, long long now) noexcept nogil
    cdef void _note(self, Py_ssize_t record, bint kept_back) noexcept nogil
    @cython.locals(known=cython.bint, stops=cython.bint)
    cdef Py_ssize_t _keep_back(
        self, Py_ssize_t record, Py_ssize_t rule, long long now
    ) noexcept nogil
    @cython.locals(young=cython.bint)
    cdef Py_ssize_t _holds_up(self, Py_ssize_t record, long long now) noexcept nogil
    cdef bint _is_limited(self, Py_ssize_t record, long long now, bint fits) noexcept nogil
    @cython.locals(
        part=Py_ssize_t, rule=Py_ssize_t, fits=cython.bint, unlicensed=cython.bint, limits_first=cython.bint,
    )
    cdef Py_ssize_t _verdict(
        self, Py_ssize_t record, long long now, bint reserved
    ) noexcept nogil
    cdef Py_ssize_t _starts(self, Py_ssize_t record, long long now) noexcept nogil
    @cython.locals(part=Py_ssize_t)
    cdef Py_ssize_t _lacks_nodes(
        self, Py_ssize_t record, long long now, bint reserved
    ) noexcept nogil
