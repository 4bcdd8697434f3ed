cimport cython


@cython.final
cdef class Waiting:
    cdef long long never
    cdef long long leaves
    cdef long long[::1] procs
    cdef long long[::1] limits

    @cython.locals(node="long long")
    cpdef void add(self, long long job, long long procs, long long limit_s) noexcept

    @cython.locals(node="long long", procs="long long", limit_s="long long")
    cpdef void remove(self, long long job) noexcept

    @cython.locals(node="long long")
    cpdef long long next(
        self, long long job, long long free, long long window_s, long long extra
    ) noexcept

    @cython.locals(node="long long")
    cdef void _clear(self) noexcept
