cimport cython


@cython.final
cdef class Releases:
    cdef long long chunk
    cdef long long room
    cdef long long chunks
    cdef public long long fit_at
    cdef public long long fit_procs
    cdef long long[::1] instants
    cdef long long[::1] procs
    cdef long long[::1] counts
    cdef long long[::1] totals
    cdef long long[::1] order

    @cython.locals(rank="long long", chunk="long long", spot="long long", stop="long long",
                   index="long long")
    cpdef int add(self, long long at, long long procs) except -1

    @cython.locals(rank="long long", chunk="long long", spot="long long", stop="long long",
                   index="long long")
    cpdef void remove(self, long long at, long long procs) noexcept

    @cython.locals(found="long long", rank="long long", spot="long long")
    cpdef void fit(self, long long wanted) noexcept

    @cython.locals(low="long long", high="long long", middle="long long", chunk="long long")
    cdef long long _rank(self, long long at) noexcept

    @cython.locals(rank="long long", chunk="long long")
    cdef Py_ssize_t _rank_for(self, long long at) except -1

    @cython.locals(spot="long long", stop="long long")
    cdef long long _spot(self, long long chunk, long long at) noexcept

    @cython.locals(chunk="long long", index="long long")
    cdef int _open(self, long long rank) except -1

    @cython.locals(chunk="long long", index="long long")
    cdef void _drop(self, long long rank) noexcept

    @cython.locals(old="long long", new="long long", half="long long", index="long long",
                   source="long long")
    cdef int _split(self, long long rank) except -1

    @cython.locals(first_new="long long", chunk="long long")
    cdef int _make_room(self) except -1
