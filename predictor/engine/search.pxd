cimport cython
from predictor.engine cimport bits, codes, sets
from predictor.engine.hints cimport Hints
from predictor.engine.layout cimport Layout
from predictor.engine.licensing cimport Licensing
from predictor.engine.portions cimport Portions
from predictor.engine.timeline cimport Timeline


@cython.final
cdef class Search:
    cdef readonly Timeline timeline
    cdef readonly Layout layout
    cdef readonly Py_ssize_t words, found
    cdef public bint alone
    cdef readonly bint asks_licenses
    cdef readonly Licensing licensing
    cdef readonly Hints hints
    cdef readonly Portions portions
    cdef readonly unsigned long long[::1] common, base, of_all_weights
    cdef readonly long long[::1] room, plain

    cdef void forget(self) noexcept nogil
    @cython.locals(bound=cython.longlong, start=cython.longlong)
    cpdef long long earliest(
        self, Py_ssize_t kind, Py_ssize_t size, long long length, long long not_before
    ) noexcept nogil
    @cython.locals(
        i=Py_ssize_t, start=cython.longlong, failed=Py_ssize_t
    )
    cpdef long long first(
        self, Py_ssize_t kind, Py_ssize_t size, long long length, long long not_before
    ) noexcept nogil
    cdef bint opens_at(
        self, Py_ssize_t kind, Py_ssize_t size, long long length, long long at
    ) noexcept nogil
    cdef bint keep_off(
        self, unsigned long long[::1] closed, Py_ssize_t kind, Py_ssize_t size
    ) noexcept nogil
    @cython.locals(weight=Py_ssize_t, row=Py_ssize_t, w=Py_ssize_t)
    cdef void keep_lightest(self, Py_ssize_t kind, Py_ssize_t size) noexcept nogil
    @cython.locals(found=Py_ssize_t, w=Py_ssize_t)
    cdef bint _is_enough(self, Py_ssize_t kind, Py_ssize_t size) noexcept nogil
    @cython.locals(kind=Py_ssize_t)
    cdef void count_room(self, Py_ssize_t slot) noexcept nogil
    @cython.locals(
        room=Py_ssize_t, opened=Py_ssize_t, found=Py_ssize_t,
        w=Py_ssize_t, word=cython.ulonglong,
    )
    cdef Py_ssize_t _room_of(self, Py_ssize_t kind, Py_ssize_t slot) noexcept nogil
    @cython.locals(room=Py_ssize_t, opened=Py_ssize_t, w=Py_ssize_t)
    cdef long long _cpus_of(self, Py_ssize_t kind, Py_ssize_t slot) noexcept nogil
    cdef bint _suffice(
        self, Py_ssize_t kind, Py_ssize_t size, Py_ssize_t slot, Py_ssize_t found
    ) noexcept nogil
    cdef bint has_run(self, Py_ssize_t kind, Py_ssize_t size) noexcept nogil
    @cython.locals(
        kinds=Py_ssize_t, most="long long[::1]", rows="long long[::1]", last=Py_ssize_t,
        wanted=Py_ssize_t, i=Py_ssize_t,
    )
    cdef Py_ssize_t _too_few(
        self, Py_ssize_t kind, Py_ssize_t size, Py_ssize_t first, long long end_at
    ) noexcept nogil
    @cython.locals(w=Py_ssize_t, i=Py_ssize_t)
    cdef Py_ssize_t _common(
        self, Py_ssize_t kind, Py_ssize_t size, Py_ssize_t first, long long end_at
    ) noexcept nogil
    @cython.locals(w=Py_ssize_t, i=Py_ssize_t)
    cdef Py_ssize_t _retry(
        self, Py_ssize_t kind, Py_ssize_t size, Py_ssize_t first, Py_ssize_t failed
    ) noexcept nogil
    @cython.locals(
        row=Py_ssize_t, room=Py_ssize_t, opened=Py_ssize_t, first=Py_ssize_t, found=Py_ssize_t,
    )
    cdef bint _narrow(
        self, Py_ssize_t kind, Py_ssize_t size, Py_ssize_t slot, bint starts
    ) noexcept nogil
    @cython.locals(found=Py_ssize_t, w=Py_ssize_t, opened_nodes="unsigned long long[::1]")
    cdef Py_ssize_t _open_only(
        self, Py_ssize_t kind, Py_ssize_t opened, bint starts
    ) noexcept nogil
    @cython.locals(era=Py_ssize_t)
    cdef Py_ssize_t _open(self, Py_ssize_t kind, Py_ssize_t slot) noexcept nogil
    @cython.locals(
        cpus=cython.longlong, unit=cython.longlong, each=cython.longlong, quota=cython.longlong,
        memory_mb=cython.longlong,
    )
    cdef long long counted_cpus(
        self, Py_ssize_t kind, Py_ssize_t slot, Py_ssize_t node
    ) noexcept nogil
    @cython.locals(least=cython.longlong)
    cdef bint trims(self, Py_ssize_t kind) noexcept nogil
    @cython.locals(cpus=cython.longlong, node=Py_ssize_t)
    cdef long long merit(
        self, Py_ssize_t kind, Py_ssize_t slot, Py_ssize_t first, Py_ssize_t end
    ) noexcept nogil
    @cython.locals(opened=Py_ssize_t, found=Py_ssize_t, w=Py_ssize_t)
    cdef bint opens(self, Py_ssize_t kind) noexcept nogil
    cdef bint room_then(self, Py_ssize_t kind, Py_ssize_t size, long long at) noexcept nogil
    cdef Py_ssize_t room_row(self, Py_ssize_t kind, Py_ssize_t slot) noexcept nogil
    cdef bint _has_room(self, Py_ssize_t kind, Py_ssize_t size, Py_ssize_t slot) noexcept nogil
    @cython.locals(first=Py_ssize_t, count=Py_ssize_t, room=Py_ssize_t)
    cdef inline void _meet(self, Py_ssize_t kind, Py_ssize_t slot) noexcept nogil
    @cython.locals(required=Py_ssize_t, quota=Py_ssize_t, found=Py_ssize_t, w=Py_ssize_t)
    cdef bint _has_wanted(self, Py_ssize_t kind) noexcept nogil
    @cython.locals(
        low=Py_ssize_t, high=Py_ssize_t, step=Py_ssize_t, tried=Py_ssize_t
    )
    cdef Py_ssize_t room_after(
        self, Py_ssize_t kind, Py_ssize_t size, Py_ssize_t guess, Py_ssize_t last
    ) noexcept nogil
    @cython.locals(first=Py_ssize_t, end=Py_ssize_t)
    cdef void _clear_beside(self, Py_ssize_t kind) noexcept nogil
    @cython.locals(
        wanted=Py_ssize_t, needed=Py_ssize_t, step=Py_ssize_t, rest=Py_ssize_t, half=Py_ssize_t
    )
    cdef Py_ssize_t _last_short(
        self, Py_ssize_t kind, Py_ssize_t size, Py_ssize_t low, Py_ssize_t high
    ) noexcept nogil
    cdef inline long long _most(self, Py_ssize_t slot, Py_ssize_t kind) noexcept nogil
